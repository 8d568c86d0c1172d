"""One small configuration and one set of inputs for each architecture of transformers 4.52.4.

shrink() makes a configuration small by the names of its options; OV says what that misses for a model type, SPECIAL and
SPECIAL_CLS build inputs where generic() does not know better.
"""

import inspect
import re

import torch
from transformers import PretrainedConfig

HID, HEADS, HD, FF, VOC, IMG = 64, 4, 16, 64, 1000, 64

HIDDEN = set(
    """hidden_size d_model n_embd dim embed_dim embedding_size emb_dim model_dim word_embed_proj_dim
decoder_hidden_size encoder_hidden_size hidden_dim projection_dim projection_size text_embed_dim decoder_n_embd
encoder_dim shared_dim attention_hidden_size proj_dim cross_attention_hidden_size mlp_hidden_size vision_embed_dim
text_hidden_size project_dim classifier_proj_size image_text_hidden_size hidden_proj_dim qformer_hidden_size
semantic_hidden_size decoder_embed_dim perceiver_hidden_size lru_width text_embed encoder_hidden_dim decoder_hidden_dim
mask_feature_size fusion_hidden_size conv_dim_out hidden_channels """.split()
)
FFN = set(
    """intermediate_size encoder_ffn_dim decoder_ffn_dim ffn_dim d_ff d_inner n_inner ffn_hidden_size dff
encoder_intermediate_size moe_intermediate_size shared_expert_intermediate_size feed_forward_hidden_size
dim_feedforward encoder_feedforward_dim decoder_intermediate_size feedforward_dim text_intermediate_size
vision_intermediate_size shared_intermediate_size decoder_mlp_dim mlp_intermediate_size intermediate_size_mlp
dense_ffn_dim ff_dim inner_dim mlp_dim""".split()
)
HEADDIM = {
    "head_dim",
    "d_kv",
    "d_head",
    "attention_head_size",
    "kv_channels",
    "qk_nope_head_dim",
    "v_head_dim",
    "attention_key_dim",
}


def rule(name, d, sig, level):
    if isinstance(d, bool) or d is None:
        return None
    if isinstance(d, int):
        if name in ("vocab_size", "n_words") or name.endswith("_vocab_size") or name == "text_vocab_size":
            return min(d, VOC)
        if re.search(r"(^|_)(n_layers?|num_layers|layers|num_hidden_layers)$", name) or name in (
            "depth",
            "encoder_layers",
            "decoder_layers",
            "num_blocks",
        ):
            return min(d, 2)
        if level >= 2:
            return None
        if name == "image_size":
            return IMG if d > IMG else None
        if name == "patch_size" and level == 0:
            return 16 if d in (14, 32) else None
        if level >= 1:
            return None
        if name in HIDDEN:
            return HID if d > HID else None
        if name in FFN:
            return FF if d > FF else None
        if re.search(r"(attention_heads|^n_heads?$|^num_heads$|^encoder_n_head$|_num_heads$)", name):
            return HEADS if d > HEADS else None
        if name in (
            "num_key_value_heads",
            "num_kv_heads",
            "n_kv_heads",
            "multi_query_group_num",
            "decoder_num_key_value_heads",
            "encoder_num_key_value_heads",
        ):
            return None if d == 1 else (HEADS if d == sig.get("num_attention_heads", d) else 2)
        if name in HEADDIM:
            return HD
        if name in ("q_lora_rank", "kv_lora_rank"):
            return 16
        if name == "qk_rope_head_dim":
            return 8
        if name in ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"):
            return min(d, 4)
        if name in ("num_experts_per_tok", "num_selected_experts", "moe_k"):
            return min(d, 2)
        if name in ("max_position_embeddings", "n_positions", "max_positions"):
            return min(d, 512)
        if name == "num_queries":
            return min(d, 10)
        if name == "rotary_dim":
            return 8
        if name == "decoder_seq_length":
            return None
        if name == "num_frames":
            return min(d, 4)
    if isinstance(d, (list, tuple)) and d and all(isinstance(x, int) and not isinstance(x, bool) for x in d):
        if name in ("depths", "layers", "layer_depths", "num_encoder_blocks_list", "layers_per_stage"):
            return type(d)(min(x, 1) for x in d)
    return None


def sigdefaults(cls):
    return {
        k: (None if p.default is inspect._empty else p.default)
        for k, p in inspect.signature(cls.__init__).parameters.items()
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and k != "self"
    }


def shrink(cls, level=0, inst=None, depth=0):
    sig = sigdefaults(cls)
    kw = {}
    pyr = any(isinstance(sig.get(x), (list, tuple)) for x in ("depths", "num_heads"))
    for k, d in sig.items():
        v = rule(k, d, sig, level)
        if pyr and k in ("embed_dim", "hidden_dim"):
            v = None
        if v is not None:
            kw[k] = v
    voc = kw.get("vocab_size", VOC)
    i = 0
    for k, d in list(sig.items()):
        if isinstance(d, int) and not isinstance(d, bool) and re.search(r"token_(id|index)$|_token$", k) and d >= voc:
            kw[k] = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}.get(
                k, voc - 20 + i
            )
            i += 1
    if inst is None:
        try:
            inst = cls()
        except Exception:
            inst = None
    _sc = getattr(inst if inst is not None else cls, "sub_configs", {})
    subs = (set(_sc) if isinstance(_sc, dict) else set()) | {
        "backbone_config",
        "text_config",
        "vision_config",
        "audio_config",
    }
    if inst is not None and depth < 3:
        for n in subs:
            s = getattr(inst, n, None)
            if n in sig and isinstance(s, PretrainedConfig):
                d2 = shrink(type(s), level, None, depth + 1)
                d2["model_type"] = s.model_type
                for keep in ("out_features", "out_indices"):
                    if n == "backbone_config" and getattr(s, keep, None) is not None and keep == "out_features":
                        d2[keep] = getattr(s, keep)
                if (
                    n == "backbone_config"
                    and any(
                        str(f).startswith("stage") and int(str(f)[5:]) > 2
                        for f in (getattr(s, "out_features", None) or [])
                    )
                    and "num_hidden_layers" in d2
                ):
                    d2.pop("num_hidden_layers")
                if (
                    level == 0
                    and s.model_type != getattr(cls, "model_type", None)
                    and "text_config" not in OV.get(s.model_type, {})
                ):
                    d2 = merge(d2, OV.get(s.model_type, {}))
                kw[n] = d2
    return kw


def merge(a, b):
    a = dict(a)
    for k, v in b.items():
        if isinstance(v, dict) and isinstance(a.get(k), dict):
            a[k] = merge(a[k], v)
        else:
            a[k] = v
    return a


W2V = dict(
    conv_dim=(32, 32, 32),
    conv_kernel=(10, 3, 3),
    conv_stride=(5, 2, 2),
    num_conv_pos_embeddings=16,
    num_conv_pos_embedding_groups=2,
    mask_time_length=2,
    mask_feature_length=2,
)
QVLROPE = {"type": "mrope", "mrope_section": [2, 3, 3]}
TS = dict(prediction_length=4, context_length=8, lags_sequence=[1, 2], num_time_features=2, d_model=16)
OV = {
    "big_bird": dict(block_size=4, num_random_blocks=2),
    "bigbird_pegasus": dict(block_size=4, num_random_blocks=2),
    "longformer": dict(attention_window=[4, 4]),
    "led": dict(attention_window=[4, 4]),
    "longt5": dict(local_radius=5, global_block_size=8, encoder_attention_type="local"),
    "reformer": dict(
        axial_pos_shape=[4, 8],
        axial_pos_embds_dim=[16, 48],
        local_attn_chunk_length=4,
        lsh_attn_chunk_length=4,
        attn_layers=["local", "lsh"],
        num_buckets=2,
        hidden_size=64,
        attention_head_size=16,
        num_attention_heads=4,
        feed_forward_size=64,
    ),
    "funnel": dict(block_sizes=[1, 1], num_decoder_layers=1),
    "transfo-xl": dict(cutoffs=[100, 200, 500], d_embed=32, d_head=16, div_val=2, mem_len=10, vocab_size=1000),
    "deberta": dict(relative_attention=True, position_biased_input=False, pos_att_type=["p2c", "c2p"]),
    "deberta-v2": dict(relative_attention=True, position_biased_input=False, pos_att_type=["p2c", "c2p"]),
    "gpt_neo": dict(attention_types=[[["global", "local"], 1]], num_layers=2, window_size=4),
    "mamba2": dict(num_heads=8, head_dim=16, n_groups=2, state_size=16, chunk_size=8),
    "bamba": dict(
        mamba_n_heads=8,
        mamba_d_head=16,
        mamba_n_groups=1,
        mamba_d_state=16,
        mamba_chunk_size=8,
        attn_layer_indices=[1],
        num_hidden_layers=2,
    ),
    "granitemoehybrid": dict(
        mamba_n_heads=8,
        mamba_d_head=16,
        mamba_n_groups=1,
        mamba_d_state=16,
        mamba_chunk_size=8,
        layer_types=["mamba", "attention"],
    ),
    "zamba": dict(
        num_hidden_layers=2,
        layers_block_type=["mamba", "hybrid"],
        mamba_dt_rank=8,
        n_mamba_heads=2,
        attention_head_dim=32,
        attention_hidden_size=128,
        attn_layer_period=2,
        attn_layer_offset=1,
        use_mamba_kernels=False,
    ),
    "zamba2": dict(
        num_hidden_layers=2,
        layers_block_type=["mamba", "hybrid"],
        hybrid_layer_ids=[1],
        mamba_ngroups=1,
        n_mamba_heads=8,
        mamba_headdim=16,
        num_mem_blocks=1,
        chunk_size=8,
        mamba_d_state=16,
        attention_head_dim=32,
    ),
    "jamba": dict(
        attn_layer_period=2,
        attn_layer_offset=1,
        expert_layer_period=2,
        expert_layer_offset=1,
        mamba_dt_rank=8,
        use_mamba_kernels=False,
    ),
    "recurrent_gemma": dict(num_hidden_layers=3, attention_window_size=8),
    "dbrx": dict(
        attn_config=dict(kv_n_heads=2, clip_qkv=8), ffn_config=dict(ffn_hidden_size=64, moe_num_experts=4, moe_top_k=2)
    ),
    "deepseek_v3": dict(
        n_routed_experts=8,
        n_group=2,
        topk_group=1,
        num_experts_per_tok=2,
        first_k_dense_replace=1,
        num_key_value_heads=4,
    ),
    "qwen2_vl": dict(
        vision_start_token_id=951,
        vision_end_token_id=952,
        image_token_id=950,
        video_token_id=949,
        rope_scaling=QVLROPE,
        num_key_value_heads=2,
        text_config=dict(rope_scaling=QVLROPE),
        vision_config=dict(depth=2, embed_dim=64, hidden_size=64, num_heads=4, patch_size=14),
    ),
    "qwen2_5_vl": dict(
        vision_start_token_id=951,
        vision_end_token_id=952,
        image_token_id=950,
        video_token_id=949,
        rope_scaling=QVLROPE,
        text_config=dict(rope_scaling=QVLROPE),
        vision_config=dict(
            depth=2, hidden_size=64, out_hidden_size=64, num_heads=4, patch_size=14, fullatt_block_indexes=[1]
        ),
    ),
    "qwen2_vl_text": dict(rope_scaling=QVLROPE),
    "qwen2_5_vl_text": dict(rope_scaling=QVLROPE),
    "mllama": dict(
        vision_config=dict(
            image_size=64,
            patch_size=16,
            num_global_layers=1,
            attention_heads=4,
            vision_output_dim=128,
            intermediate_layers_indices=[1],
            max_num_tiles=4,
            supported_aspect_ratios=[[1, 1], [1, 2], [2, 1], [2, 2]],
            hidden_size=64,
        ),
        text_config=dict(cross_attention_layers=[1], num_hidden_layers=2, rope_scaling={"rope_type": "default"}),
    ),
    "llama4": dict(
        vision_config=dict(
            image_size=64,
            patch_size=16,
            vision_output_dim=64,
            projector_input_dim=64,
            projector_output_dim=64,
            hidden_size=64,
            intermediate_size=256,
            pixel_shuffle_ratio=0.5,
        ),
        text_config=dict(attention_chunk_size=16),
    ),
    "layoutlmv3": dict(input_size=32, coordinate_size=10, shape_size=12, max_2d_position_embeddings=1024),
    "layoutlm": dict(max_2d_position_embeddings=1024),
    "lxmert": dict(l_layers=1, x_layers=1, r_layers=1, num_qa_labels=10),
    "perceiver": dict(
        num_latents=8,
        d_latents=32,
        d_model=32,
        num_blocks=1,
        num_self_attends_per_block=2,
        num_self_attention_heads=4,
        num_cross_attention_heads=4,
    ),
    "time_series_transformer": TS,
    "informer": TS,
    "autoformer": dict(TS, label_length=2, moving_average=3),
    "patchtst": dict(context_length=32, patch_length=8, patch_stride=8, num_input_channels=2),
    "patchtsmixer": dict(context_length=32, patch_length=8, patch_stride=8, num_input_channels=2),
    "timesfm": dict(context_length=64, patch_length=32, horizon_length=16, head_dim=16, num_attention_heads=4),
    "decision_transformer": dict(hidden_size=64, n_head=4),
    "trajectory_transformer": dict(vocab_size=100, observation_dim=4, action_dim=2, transition_dim=8, block_size=64),
    "sam": dict(
        vision_config=dict(
            image_size=64,
            patch_size=16,
            window_size=2,
            global_attn_indexes=[1],
            output_channels=32,
            num_pos_feats=16,
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
        ),
        prompt_encoder_config=dict(image_size=64, patch_size=16, hidden_size=32),
        mask_decoder_config=dict(hidden_size=32, mlp_dim=64, num_attention_heads=4, iou_head_hidden_dim=32),
    ),
    "sam_hq": dict(
        vision_config=dict(
            image_size=64,
            patch_size=16,
            window_size=2,
            global_attn_indexes=[1],
            output_channels=32,
            num_pos_feats=16,
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
        ),
        prompt_encoder_config=dict(image_size=64, patch_size=16, hidden_size=32),
        mask_decoder_config=dict(hidden_size=32, mlp_dim=64, num_attention_heads=4, iou_head_hidden_dim=32, vit_dim=64),
    ),
    "sam_vision_model": dict(image_size=64, patch_size=16, window_size=2, global_attn_indexes=[1], output_channels=32),
    "sam_hq_vision_model": dict(
        image_size=64, patch_size=16, window_size=2, global_attn_indexes=[1], output_channels=32
    ),
    "whisper": dict(max_source_positions=50, max_target_positions=64),
    "wav2vec2": W2V,
    "hubert": W2V,
    "wavlm": W2V,
    "unispeech": W2V,
    "unispeech-sat": W2V,
    "wav2vec2-conformer": W2V,
    "data2vec-audio": dict(
        conv_dim=(32, 32, 32),
        conv_kernel=(10, 3, 3),
        conv_stride=(5, 2, 2),
        num_conv_pos_embeddings=1,
        conv_pos_kernel_size=5,
        mask_time_length=2,
    ),
    "sew": dict(W2V, squeeze_factor=2),
    "sew-d": dict(W2V, squeeze_factor=2, hidden_size=64, num_attention_heads=4, feature_layer_norm_eps=1e-7),
    "speecht5": W2V,
    "mctct": dict(input_feat_per_channel=8, attention_head_dim=16, conv_kernel=[3], conv_stride=[2]),
    "csm": dict(),
    "dab-detr": dict(use_pretrained_backbone=False),
    "chameleon": dict(
        vocabulary_map={"<image>": 950, **{f"IMGIMG{chr(65 + i)}Z": 700 + i for i in range(8)}},
        vq_config=dict(
            num_embeddings=8,
            embed_dim=32,
            base_channels=32,
            latent_channels=32,
            channel_multiplier=[1, 1, 2],
            num_res_blocks=1,
            resolution=64,
        ),
    ),
    "vitdet": dict(image_size=64, pretrain_image_size=64, patch_size=16, window_block_indices=[0], window_size=2),
    "ibert": dict(quant_mode=True),
    "vits": dict(upsample_initial_channel=32, flow_size=64, spectrogram_bins=32, hidden_size=64),
    "fastspeech2_conformer": dict(
        hidden_size=64,
        vocab_size=78,
        encoder_num_attention_heads=2,
        decoder_num_attention_heads=2,
        encoder_linear_units=64,
        decoder_linear_units=64,
        encoder_layers=2,
        decoder_layers=2,
        num_mel_bins=20,
    ),
    "univnet": dict(model_hidden_channels=8, kernel_predictor_hidden_channels=8),
    "hiera": dict(
        image_size=[64, 64],
        embed_dim=24,
        depths=[1, 1, 1, 1],
        num_heads=[1, 2, 4, 8],
        patch_kernel=[7, 7],
        masked_unit_size=[4, 4],
    )
    if False
    else dict(),
    "prophetnet": dict(num_encoder_layers=2, num_decoder_layers=2, ngram=2, disable_ngram_loss=False),
    "xlm-prophetnet": dict(ngram=2),
    "clap": dict(),
    "jukebox": dict(),
    "xlnet": dict(),
    "splinter": dict(question_token_id=104),
    "encodec": dict(num_filters=8, hidden_size=32, codebook_size=64, codebook_dim=32, num_lstm_layers=1),
    "dac": dict(
        encoder_hidden_size=16,
        decoder_hidden_size=64,
        codebook_size=64,
        n_codebooks=2,
        downsampling_ratios=[2, 4],
        upsampling_ratios=[4, 2],
    ),
    "mimi": dict(
        num_filters=8,
        hidden_size=32,
        codebook_size=64,
        codebook_dim=16,
        vector_quantization_hidden_dimension=16,
        num_quantizers=4,
        num_semantic_quantizers=1,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=8,
        upsample_groups=32,
        intermediate_size=64,
    ),
    "moonshine": dict(),
    "superglue": dict(
        keypoint_encoder_sizes=[32, 64],
        hidden_size=64,
        gnn_layers_types=["self", "cross"],
        sinkhorn_iterations=5,
        num_attention_heads=4,
        keypoint_detector_config=dict(
            model_type="superpoint",
            encoder_hidden_sizes=[32, 32, 64, 64],
            decoder_hidden_size=64,
            keypoint_decoder_dim=65,
            descriptor_decoder_dim=64,
            max_keypoints=20,
        ),
    ),
    "efficientformer": dict(image_size=224, dim=448, num_hidden_layers=12),
    "levit": dict(image_size=224),
    "mgp-str": dict(image_size=[32, 128], patch_size=4),
    "imagegpt": dict(vocab_size=513),
    "mra": dict(),
    "yoso": dict(num_hash=4, hash_code_len=4),
    "mega": dict(
        bidirectional=True, ema_projection_size=8, shared_representation_size=16, hidden_size=64, use_chunking=False
    ),
    "gptsan-japanese": dict(
        d_spout=0,
        d_ext=64,
        d_ff=64,
        num_switch_layers=1,
        num_ext_layers=1,
        num_experts=4,
        d_model=64,
        num_heads=4,
        vocab_size=1000,
        pad_token_id=995,
        separator_token_id=998,
    ),
    "switch_transformers": dict(num_sparse_encoder_layers=1, num_sparse_decoder_layers=1, num_experts=4),
    "nllb-moe": dict(num_experts=4, encoder_sparse_step=1, decoder_sparse_step=1),
    "beit": dict(out_indices=None),
    "falcon_mamba": dict(),
    "cvt": dict(),
    "gemma3": dict(
        text_config=dict(head_dim=16, num_key_value_heads=2),
        vision_config=dict(image_size=64, patch_size=16),
        mm_tokens_per_image=4,
    ),
    "paligemma": dict(projection_dim=64),
    "qwen2_audio": dict(),
    "nystromformer": dict(num_landmarks=4, segment_means_seq_len=12),
    "phi3": dict(),
    "megatron-bert": dict(),
    "bark": dict(),
    "fuyu": dict(patch_size=10),
    "idefics": dict(
        vision_config=dict(
            embed_dim=64, image_size=64, patch_size=16, intermediate_size=64, num_attention_heads=4, num_hidden_layers=2
        ),
        perceiver_config=dict(resampler_depth=1, resampler_head_dim=16, resampler_n_heads=4, resampler_n_latents=4),
    ),
    "idefics2": dict(
        perceiver_config=dict(
            hidden_size=64,
            resampler_n_latents=4,
            resampler_depth=1,
            resampler_n_heads=4,
            resampler_head_dim=16,
            num_key_value_heads=2,
        )
    ),
    "blip_2_qformer": dict(encoder_hidden_size=64),
    "regnet": dict(),
    "kosmos-2": dict(latent_query_num=4),
    "speech_to_text": dict(input_feat_per_channel=24, input_channels=1, conv_channels=32),
    "table-transformer": dict(use_pretrained_backbone=False),
    "detr": dict(use_pretrained_backbone=False),
    "conditional_detr": dict(use_pretrained_backbone=False),
    "deformable_detr": dict(use_pretrained_backbone=False, encoder_n_points=2),
    "align": dict(
        vision_config=dict(
            depth_coefficient=1.0,
            width_coefficient=1.0,
            image_size=64,
            hidden_dim=64,
            num_block_repeats=[1, 1, 1, 1, 1, 1, 1],
        ),
        text_config=dict(hidden_size=64),
    ),
    "efficientnet": dict(
        depth_coefficient=1.0, width_coefficient=1.0, image_size=64, num_block_repeats=[1, 1, 1, 1, 1, 1, 1]
    ),
    "aria": dict(
        vision_config=dict(image_size=490, patch_size=14, hidden_size=64, num_hidden_layers=2),
        projector_patch_to_query_dict={16: 4, 1225: 128},
    ),
    "d_fine": dict(d_model=256, encoder_hidden_dim=256, num_queries=20, encoder_ffn_dim=64, decoder_ffn_dim=64),
    "rt_detr": dict(d_model=256, encoder_hidden_dim=256, num_queries=20, encoder_ffn_dim=64, decoder_ffn_dim=64),
    "rt_detr_v2": dict(d_model=256, encoder_hidden_dim=256, num_queries=20, encoder_ffn_dim=64, decoder_ffn_dim=64),
    "esm": dict(vocab_size=33, mask_token_id=32, pad_token_id=1, token_dropout=True, position_embedding_type="rotary"),
    "deta": dict(two_stage=False, with_box_refine=False, use_pretrained_backbone=False),
    "emu3": dict(
        vocabulary_map={
            "<image>": 950,
            "<|extra_200|>": 951,
            **{f"<|visual token {i:06d}|>": 700 + i for i in range(8)},
        },
        vq_config=dict(
            codebook_size=8,
            base_channels=32,
            channel_multiplier=[1, 1, 2, 2],
            num_res_blocks=1,
            embed_dim=16,
            latent_channels=16,
            attn_resolutions=[2],
        ),
    ),
    "depth_pro": dict(
        patch_size=32,
        image_model_config=dict(
            model_type="dinov2", image_size=32, patch_size=8, hidden_size=64, num_attention_heads=4, num_hidden_layers=2
        ),
        patch_model_config=dict(
            model_type="dinov2", image_size=32, patch_size=8, hidden_size=64, num_attention_heads=4, num_hidden_layers=2
        ),
        fov_model_config=dict(
            model_type="dinov2", image_size=32, patch_size=8, hidden_size=64, num_attention_heads=4, num_hidden_layers=2
        ),
        intermediate_hook_ids=[1, 0],
        intermediate_feature_dims=[16, 16],
        scaled_images_feature_dims=[32, 16, 16],
        merge_padding_value=1,
        fusion_hidden_size=16,
    ),
    "instructblip": dict(image_token_index=950, num_query_tokens=4),
    "instructblipvideo": dict(video_token_index=950, num_query_tokens=4),
    "blip-2": dict(image_token_index=950, num_query_tokens=4),
    "jetmoe": dict(num_key_value_heads=2, num_experts_per_tok=2, kv_channels=16, num_local_experts=4),
    "llava_next": dict(image_grid_pinpoints=[[64, 64], [128, 64]]),
    "llava_next_video": dict(image_grid_pinpoints=[[64, 64], [128, 64]]),
    "llava_onevision": dict(image_grid_pinpoints=[[64, 64], [128, 64]], vision_aspect_ratio="anyres_max_9"),
    "nemotron": dict(head_dim=16, num_key_value_heads=4),
    "omdet-turbo": dict(encoder_hidden_dim=256, decoder_hidden_dim=256, text_projection_in_dim=64),
    "phi4_multimodal": dict(
        vision_config=dict(
            hidden_size=64,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            crop_size=64,
            image_token_id=950,
        ),
        audio_config=dict(
            hidden_size=64,
            intermediate_size=64,
            num_blocks=2,
            num_attention_heads=4,
            ext_pw_out_channel=64,
            nemo_conv_channels=64,
            audio_token_id=951,
        ),
    ),
    "depth_anything": dict(backbone_config=dict(reshape_hidden_states=False), reassemble_hidden_size=64),
    "prompt_depth_anything": dict(backbone_config=dict(reshape_hidden_states=False), reassemble_hidden_size=64),
    "zoedepth": dict(),
    "upernet": dict(auxiliary_in_channels=1024),
    "encoder-decoder": dict(
        encoder=dict(
            model_type="bert",
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            vocab_size=1000,
        ),
        decoder=dict(
            model_type="bert",
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            vocab_size=1000,
            is_decoder=True,
            add_cross_attention=True,
        ),
    ),
    "swin": dict(image_size=224, depths=[2, 1, 1, 1]),
    "donut-swin": dict(image_size=224, depths=[2, 1, 1, 1]),
    "timm_backbone": dict(backbone="resnet18", use_pretrained_backbone=False),
    "timm_wrapper": dict(architecture="resnet18", pretrained=False),
    "tvp": dict(type_vocab_size=2),
    "vipllava": dict(vision_feature_layers=[-1, -2]),
    "vision-text-dual-encoder": dict(
        text_config=dict(
            model_type="bert",
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            vocab_size=1000,
        ),
        vision_config=dict(
            model_type="vit",
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            image_size=64,
            patch_size=16,
        ),
        projection_dim=64,
    ),
    "udop": dict(max_2d_position_embeddings=1024, image_size=32),
    "bros": dict(dim_bbox=8),
}


def V(cfg):
    for c in (cfg, getattr(cfg, "text_config", None), getattr(cfg, "decoder", None)):
        v = getattr(c, "vocab_size", None) if c is not None else None
        if isinstance(v, int):
            return v
    return getattr(cfg, "n_words", 100) if isinstance(getattr(cfg, "n_words", None), int) else 100


def ids(cfg, b=2, s=12, hi=None):
    v = hi or V(cfg)
    return torch.randint(3, max(5, min(v, 900)), (b, s))


def imgsize(cfg):
    for c in (
        cfg,
        getattr(cfg, "vision_config", None),
        getattr(cfg, "backbone_config", None),
        getattr(cfg, "encoder", None),
    ):
        s = getattr(c, "image_size", None) if c is not None else None
        if isinstance(s, int):
            return s, s
        if isinstance(s, (list, tuple)):
            return (s[-2], s[-1]) if len(s) >= 2 else (s[0], s[0])
    return IMG, IMG


def nch(cfg):
    for c in (cfg, getattr(cfg, "vision_config", None), getattr(cfg, "backbone_config", None)):
        for a in ("num_channels", "in_channels", "in_chans", "num_input_channels"):
            s = getattr(c, a, None) if c is not None else None
            if isinstance(s, int):
                return s
    return 3


def img(cfg, b=2):
    h, w = imgsize(cfg)
    return torch.randn(b, nch(cfg), h, w)


def ts_inputs(m, c):
    L = c.context_length + max(c.lags_sequence)
    P = c.prediction_length
    b = 2
    d = dict(
        past_values=torch.randn(b, L),
        past_time_features=torch.randn(b, L, c.num_time_features),
        past_observed_mask=torch.ones(b, L),
        future_values=torch.randn(b, P),
        future_time_features=torch.randn(b, P, c.num_time_features),
    )
    if c.num_static_categorical_features:
        d["static_categorical_features"] = torch.zeros(b, c.num_static_categorical_features, dtype=torch.long)
    return d


def qwen_vl(m, c):
    grid = torch.tensor([[1, 4, 4]])
    vc = c.vision_config
    px = torch.randn(16, 3 * 2 * vc.patch_size**2)
    tid = c.image_token_id
    i = torch.cat(
        [ids(c, 1, 3), torch.tensor([[getattr(c, "vision_start_token_id", 5)]]), torch.full((1, 4), tid), ids(c, 1, 5)],
        1,
    )
    return dict(input_ids=i, attention_mask=torch.ones_like(i), pixel_values=px, image_grid_thw=grid)


def bbox(b, s):
    return torch.tensor([10, 20, 50, 60]).expand(b, s, 4).contiguous()


def seamless(m, c):
    i = ids(c)
    return dict(input_ids=i, attention_mask=torch.ones_like(i), decoder_input_ids=ids(c))


SPECIAL = {
    "big_bird": lambda m, c: dict(input_ids=ids(c, 2, 64), attention_mask=torch.ones(2, 64, dtype=torch.long)),
    "bigbird_pegasus": lambda m, c: dict(
        input_ids=ids(c, 2, 64), attention_mask=torch.ones(2, 64, dtype=torch.long), decoder_input_ids=ids(c)
    ),
    "reformer": lambda m, c: dict(input_ids=ids(c, 2, 32), attention_mask=torch.ones(2, 32, dtype=torch.long)),
    "canine": lambda m, c: dict(input_ids=ids(c, 2, 32), attention_mask=torch.ones(2, 32, dtype=torch.long)),
    "tapas": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        token_type_ids=torch.zeros(2, 12, 7, dtype=torch.long),
    ),
    "layoutlm": lambda m, c: dict(
        input_ids=ids(c), bbox=bbox(2, 12), attention_mask=torch.ones(2, 12, dtype=torch.long)
    ),
    "lilt": lambda m, c: dict(input_ids=ids(c), bbox=bbox(2, 12), attention_mask=torch.ones(2, 12, dtype=torch.long)),
    "layoutlmv3": lambda m, c: dict(
        input_ids=ids(c),
        bbox=bbox(2, 12),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        pixel_values=torch.randn(2, 3, 32, 32),
    ),
    "layoutlmv2": lambda m, c: dict(
        input_ids=ids(c),
        bbox=bbox(2, 12),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        image=torch.randn(2, 3, 224, 224),
    ),
    "bros": lambda m, c: dict(
        input_ids=ids(c), bbox=torch.rand(2, 12, 8), attention_mask=torch.ones(2, 12, dtype=torch.long)
    ),
    "lxmert": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        visual_feats=torch.randn(2, 4, c.visual_feat_dim),
        visual_pos=torch.rand(2, 4, 4),
    ),
    "visual_bert": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        visual_embeds=torch.randn(2, 4, c.visual_embedding_dim),
        visual_attention_mask=torch.ones(2, 4),
        visual_token_type_ids=torch.ones(2, 4, dtype=torch.long),
    ),
    "perceiver": lambda m, c: dict(inputs=torch.randn(2, 10, c.d_model)),
    "time_series_transformer": ts_inputs,
    "informer": ts_inputs,
    "autoformer": ts_inputs,
    "patchtst": lambda m, c: dict(past_values=torch.randn(2, 32, 2)),
    "patchtsmixer": lambda m, c: dict(past_values=torch.randn(2, 32, 2)),
    "timesfm": lambda m, c: dict(
        past_values=torch.randn(2, 64),
        past_values_padding=torch.zeros(2, 64, dtype=torch.long),
        freq=torch.zeros(2, 1, dtype=torch.long),
    ),
    "decision_transformer": lambda m, c: dict(
        states=torch.randn(2, 5, c.state_dim),
        actions=torch.randn(2, 5, c.act_dim),
        rewards=torch.randn(2, 5, 1),
        returns_to_go=torch.randn(2, 5, 1),
        timesteps=torch.randint(0, 100, (2, 5)),
        attention_mask=torch.ones(2, 5, dtype=torch.long),
    ),
    "trajectory_transformer": lambda m, c: dict(trajectories=torch.randint(0, 99, (2, 16))),
    "sam": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, 64, 64),
        input_points=torch.rand(1, 1, 2, 2) * 60,
        input_labels=torch.ones(1, 1, 2, dtype=torch.long),
    ),
    "sam_hq": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, 64, 64),
        input_points=torch.rand(1, 1, 2, 2) * 60,
        input_labels=torch.ones(1, 1, 2, dtype=torch.long),
    ),
    "whisper": lambda m, c: dict(
        input_features=torch.randn(2, c.num_mel_bins, 2 * c.max_source_positions), decoder_input_ids=ids(c)
    ),
    "speech_to_text": lambda m, c: dict(
        input_features=torch.randn(2, 40, c.input_feat_per_channel),
        attention_mask=torch.ones(2, 40, dtype=torch.long),
        decoder_input_ids=ids(c),
    ),
    "mctct": lambda m, c: dict(input_features=torch.randn(2, 40, 8)),
    "wav2vec2-bert": lambda m, c: dict(
        input_features=torch.randn(2, 40, c.feature_projection_input_dim),
        attention_mask=torch.ones(2, 40, dtype=torch.long),
    ),
    "audio-spectrogram-transformer": lambda m, c: dict(input_values=torch.randn(2, c.max_length, c.num_mel_bins)),
    "speecht5": lambda m, c: dict(input_values=torch.randn(2, 2000), decoder_input_ids=ids(c, hi=80)),
    "clap": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        input_features=torch.randn(2, 1, 1001, 64),
        is_longer=torch.tensor([[True], [False]]),
    ),
    "clap_audio_model": lambda m, c: dict(
        input_features=torch.randn(2, 1, 1001, 64), is_longer=torch.tensor([[True], [False]])
    ),
    "superglue": lambda m, c: dict(pixel_values=torch.randn(1, 2, 1, 64, 64)),
    "superpoint": lambda m, c: dict(pixel_values=torch.randn(1, 3, 64, 64)),
    "timesformer": lambda m, c: dict(pixel_values=torch.randn(1, c.num_frames, 3, c.image_size, c.image_size)),
    "vivit": lambda m, c: dict(pixel_values=torch.randn(1, c.num_frames, 3, c.image_size, c.image_size)),
    "videomae": lambda m, c: dict(pixel_values=torch.randn(1, c.num_frames, 3, c.image_size, c.image_size)),
    "xclip": lambda m, c: dict(
        input_ids=ids(c, 2),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        pixel_values=torch.randn(2, c.vision_config.num_frames, 3, 64, 64),
    ),
    "qwen2_vl": qwen_vl,
    "qwen2_5_vl": qwen_vl,
    "qwen2_audio_encoder": lambda m, c: dict(input_features=torch.randn(1, c.num_mel_bins, 2 * c.max_source_positions)),
    "oneformer": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, 64, 64),
        task_inputs=torch.randint(0, 100, (1, c.task_seq_len)),
        pixel_mask=torch.ones(1, 64, 64),
    ),
    "seamless_m4t": seamless,
    "seamless_m4t_v2": seamless,
    "univnet": lambda m, c: dict(input_features=torch.randn(1, 7, c.num_mel_bins)),
    "encodec": lambda m, c: dict(input_values=torch.randn(2, 1, 640)),
    "dac": lambda m, c: dict(input_values=torch.randn(2, 1, 512)),
    "mimi": lambda m, c: dict(input_values=torch.randn(2, 1, 3840)),
    "seggpt": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, *imgsize_seg(c)),
        prompt_pixel_values=torch.randn(1, 3, *imgsize_seg(c)),
        prompt_masks=torch.randn(1, 3, *imgsize_seg(c)),
    ),
    "tvlt": lambda m, c: dict(
        pixel_values=torch.randn(1, c.num_frames, 3, c.image_size, c.image_size),
        audio_values=torch.randn(1, 1, c.spectrogram_length, c.frequency_length),
    ),
    "tvp": lambda m, c: dict(
        input_ids=ids(c, 1),
        attention_mask=torch.ones(1, 12, dtype=torch.long),
        pixel_values=torch.randn(1, c.num_frames, 3, 64, 64),
    ),
    "udop": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        bbox=torch.rand(2, 12, 4),
        decoder_input_ids=ids(c),
        pixel_values=torch.randn(2, 3, c.image_size, c.image_size),
    ),
    "grounding-dino": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, 64, 64),
        input_ids=torch.tensor([[101, 300, 301, 1012 % 1000, 400, 102]]),
        attention_mask=torch.ones(1, 6, dtype=torch.long),
    ),
    "omdet-turbo": lambda m, c: dict(
        pixel_values=torch.randn(1, 3, c.image_size, c.image_size),
        classes_input_ids=ids(c, 2, 5, 400),
        classes_attention_mask=torch.ones(2, 5, dtype=torch.long),
        tasks_input_ids=ids(c, 1, 5, 400),
        tasks_attention_mask=torch.ones(1, 5, dtype=torch.long),
        classes_structure=torch.tensor([2]),
    ),
    "pix2struct": lambda m, c: dict(
        flattened_patches=torch.cat([torch.randint(1, 8, (1, 8, 2)).float(), torch.randn(1, 8, 3 * 256)], -1),
        attention_mask=torch.ones(1, 8),
        decoder_input_ids=ids(c, 1),
    ),
    "blip_2_qformer": lambda m, c: dict(
        query_embeds=torch.randn(1, 4, c.hidden_size), encoder_hidden_states=torch.randn(1, 5, c.encoder_hidden_size)
    ),
    "idefics": lambda m, c: dict(
        input_ids=ids(c, 1),
        attention_mask=torch.ones(1, 12, dtype=torch.long),
        pixel_values=torch.randn(1, 1, 3, 64, 64),
        image_attention_mask=torch.ones(1, 12, 1, dtype=torch.long),
    ),
    "siglip2": lambda m, c: dict(
        input_ids=ids(c, 2),
        pixel_values=torch.randn(2, 16, 3 * c.vision_config.patch_size**2),
        pixel_attention_mask=torch.ones(2, 16, dtype=torch.long),
        spatial_shapes=torch.tensor([[4, 4], [4, 4]]),
    ),
    "mllama": lambda m, c: dict(
        input_ids=torch.cat([torch.full((1, 1), c.image_token_index), ids(c, 1, 8)], 1),
        attention_mask=torch.ones(1, 9, dtype=torch.long),
        pixel_values=torch.randn(1, 1, 4, 3, 64, 64),
        aspect_ratio_ids=torch.tensor([[4]]),
        aspect_ratio_mask=torch.ones(1, 1, 4, dtype=torch.long),
        cross_attention_mask=torch.ones(1, 9, 1, 4, dtype=torch.long),
    ),
    "imagegpt": lambda m, c: dict(input_ids=torch.randint(0, 510, (2, 12))),
    "emu3": lambda m, c: dict(vlm(m, c), pixel_values=torch.randn(1, 3, 64, 64), image_sizes=torch.tensor([[64, 64]])),
    "depth_pro": lambda m, c: dict(pixel_values=torch.randn(1, 3, 128, 128)),
    "instructblip": lambda m, c: dict(
        vlm2(c, 950, 4),
        pixel_values=img(c, 1),
        qformer_input_ids=ids(c, 1, 6, 400),
        qformer_attention_mask=torch.ones(1, 6, dtype=torch.long),
    ),
    "instructblipvideo": lambda m, c: dict(
        vlm2(c, 950, 16),
        pixel_values=img(c, 4)[None],
        qformer_input_ids=ids(c, 1, 6, 400),
        qformer_attention_mask=torch.ones(1, 6, dtype=torch.long),
    ),
    "kosmos-2": lambda m, c: dict(
        input_ids=ids(c, 1, 12, 400),
        attention_mask=torch.ones(1, 12, dtype=torch.long),
        pixel_values=img(c, 1),
        image_embeds_position_mask=torch.tensor([[0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]]),
    ),
    "llava_next": lambda m, c: dict(
        vlm(m, c, 32), pixel_values=torch.randn(1, 2, 3, 64, 64), image_sizes=torch.tensor([[64, 64]])
    ),
    "llava_next_video": lambda m, c: dict(
        vlm(m, c, 32), pixel_values=torch.randn(1, 2, 3, 64, 64), image_sizes=torch.tensor([[64, 64]])
    ),
    "llava_onevision": lambda m, c: dict(
        vlm(m, c, 32), pixel_values=torch.randn(1, 2, 3, 64, 64), image_sizes=torch.tensor([[64, 64]])
    ),
    "mistral3": lambda m, c: dict(
        vlm(m, c, 4), pixel_values=torch.randn(1, 3, 64, 64), image_sizes=torch.tensor([[64, 64]])
    ),
    "musicgen": lambda m, c: dict(
        input_ids=torch.randint(0, 900, (2 * 4, 12)), attention_mask=torch.ones(2, 12, dtype=torch.long)
    ),
    "musicgen_melody": lambda m, c: dict(
        input_ids=torch.randint(0, 900, (2 * 4, 12)), attention_mask=torch.ones(2, 12, dtype=torch.long)
    ),
    "llama4": lambda m, c: dict(bf(vlm(m.to(torch.bfloat16), c, 4)), pixel_values=torch.randn(1, 3, 64, 64).bfloat16()),
    "llama4_text": lambda m, c: (
        m.to(torch.bfloat16),
        dict(input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long)),
    )[1],
    "paligemma": lambda m, c: vlm(m, c, 16),
    "phi4_multimodal": lambda m, c: dict(input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long)),
    "bark_fine": lambda m, c: dict(codebook_idx=2, input_ids=torch.randint(0, 900, (2, 12, c.n_codes_total))),
    "deta": lambda m, c: dict(pixel_values=torch.randn(1, 3, 128, 128)),
    "markuplm": lambda m, c: dict(input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long)),
    "bridgetower": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        pixel_values=img(c),
        pixel_mask=torch.ones(2, *imgsize(c), dtype=torch.long),
    ),
    "vilt": lambda m, c: dict(
        input_ids=ids(c),
        attention_mask=torch.ones(2, 12, dtype=torch.long),
        pixel_values=img(c),
        pixel_mask=torch.ones(2, *imgsize(c), dtype=torch.long),
    ),
    "clvp": lambda m, c: dict(
        input_ids=ids(c.text_config, hi=200), input_features=torch.randn(2, c.decoder_config.feature_size, 50)
    ),
    "fuyu": lambda m, c: dict(input_ids=ids(c, 1), attention_mask=torch.ones(1, 12, dtype=torch.long)),
    "blip": lambda m, c: dict(
        input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long), pixel_values=img(c)
    ),
    "xmod": lambda m, c: dict(
        input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long), lang_ids=torch.zeros(2, dtype=torch.long)
    ),
    "cpmant": lambda m, c: dict(input_ids=ids(c)),
    "splinter": lambda m, c: dict(input_ids=ids(c), attention_mask=torch.ones(2, 12, dtype=torch.long)),
    "csm": lambda m, c: dict(
        input_ids=torch.randint(0, 50, (1, 8, c.num_codebooks + 1)), attention_mask=torch.ones(1, 8, dtype=torch.long)
    ),
    "graphormer": lambda m, c: dict(
        input_nodes=torch.randint(1, 5, (1, 4, 1)),
        input_edges=torch.randint(1, 5, (1, 4, 4, 2, 1)),
        attn_bias=torch.zeros(1, 5, 5),
        in_degree=torch.ones(1, 4, dtype=torch.long),
        out_degree=torch.ones(1, 4, dtype=torch.long),
        spatial_pos=torch.ones(1, 4, 4, dtype=torch.long),
        attn_edge_type=torch.ones(1, 4, 4, 1, dtype=torch.long),
    ),
    "moshi": lambda m, c: dict(input_ids=ids(c, 1), attention_mask=torch.ones(1, 12, dtype=torch.long)),
    "idefics2": lambda m, c: vl5(m, c),
    "idefics3": lambda m, c: vl5(m, c),
    "smolvlm": lambda m, c: vl5(m, c),
    "vipllava": lambda m, c: vlm(m, c),
}


def imgsize_seg(c):
    s = c.image_size
    s = s if isinstance(s, (list, tuple)) else (2 * s, s)
    return s[0] // 2, s[1]


POST = {}
SPECIAL_CLS = {}


def imgtok(c):
    vm = getattr(c, "vocabulary_map", None)
    if isinstance(vm, dict):
        return vm["<image>"]
    for a in ("image_token_id", "image_token_index", "image_token"):
        v = getattr(c, a, None)
        if isinstance(v, int):
            return v


def vlm(m, c, n=4):
    t = imgtok(c)
    i = torch.cat([ids(c, 1, 3, 800), torch.full((1, n), t), ids(c, 1, 5, 800)], 1)
    return dict(input_ids=i, attention_mask=torch.ones_like(i), pixel_values=img(c, 1))


def vlm2(c, t, n):
    i = torch.cat([ids(c, 1, 3, 400), torch.full((1, n), t), ids(c, 1, 5, 400)], 1)
    return dict(input_ids=i, attention_mask=torch.ones_like(i))


def bf(d):
    return d


def vl5(m, c, n=4):
    d = vlm(m, c, n)
    d["pixel_values"] = d["pixel_values"][None]
    return d


def generic(m, cfg, mt):
    sig = inspect.signature(m.forward).parameters
    main = m.main_input_name
    d = {}
    b = 2
    has_img = "pixel_values" in sig
    t = imgtok(cfg)
    if "input_ids" in sig and has_img and t is not None and t < V(cfg):
        return vlm(m, cfg)
    if "input_ids" in sig:
        d["input_ids"] = ids(cfg, b, 12)
        if "attention_mask" in sig:
            d["attention_mask"] = torch.ones(b, 12, dtype=torch.long)
    if "decoder_input_ids" in sig:
        d["decoder_input_ids"] = ids(cfg, b, 8)
    if has_img:
        d["pixel_values"] = img(cfg, b)
    if "bbox" in sig:
        d["bbox"] = bbox(b, 12)
    if main == "input_values" or ("input_values" in sig and "input_ids" not in sig):
        d["input_values"] = torch.randn(b, 2000)
    if main == "input_features" or ("input_features" in sig and "input_ids" not in sig):
        nm = getattr(cfg, "num_mel_bins", None) or getattr(cfg, "input_feat_per_channel", 80)
        d["input_features"] = torch.randn(b, 100, nm)
    for k, p in sig.items():
        if p.default is inspect._empty and p.kind == p.POSITIONAL_OR_KEYWORD and k not in d:
            if k == "hidden_states":
                d[k] = torch.randn(b, 12, getattr(cfg, "hidden_size", HID))
            elif k.endswith("ids"):
                d[k] = ids(cfg, b, 12)
            elif "mask" in k:
                d[k] = torch.ones(b, 12, dtype=torch.long)
    return d
