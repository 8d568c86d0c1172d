"""Which architectures there are, and how to build a small one that runs."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import re
import traceback
from dataclasses import dataclass
from typing import Any

import numpy
import recipes
import torch
import transformers
from transformers.models.auto import configuration_auto, modeling_auto

SITE = os.path.dirname(os.path.dirname(os.path.abspath(transformers.__file__))) + "/"

EXTRA = """pix2struct:Pix2StructForConditionalGeneration trocr:TrOCRForCausalLM
superpoint:SuperPointForKeypointDetection
upernet:UperNetForSemanticSegmentation vitmatte:VitMatteForImageMatting depth_anything:DepthAnythingForDepthEstimation
qwen2_audio:Qwen2AudioForConditionalGeneration granite_speech:GraniteSpeechForConditionalGeneration
pop2piano:Pop2PianoForConditionalGeneration kosmos-2:Kosmos2ForConditionalGeneration encoder-decoder:EncoderDecoderModel
prompt_depth_anything:PromptDepthAnythingForDepthEstimation bark_coarse:BarkCoarseModel bark_fine:BarkFineModel
clap_audio_model:ClapAudioModelWithProjection sew_ctc:SEWForCTC""".split()
PREFER = {
    "speecht5": "SpeechT5ForSpeechToText",
    "qwen2_5_vl": "Qwen2_5_VLForConditionalGeneration",
    "qwen2_vl": "Qwen2VLForConditionalGeneration",
}
HEADS = "CTC OBJECT_DETECTION SEQ_TO_SEQ_CAUSAL_LM SPEECH_SEQ_2_SEQ CAUSAL_LM SEQUENCE_CLASSIFICATION MASKED_LM".split()


@dataclass(frozen=True)
class Architecture:
    model_type: str
    name: str
    head: str


def known(heads: bool) -> list[Architecture]:
    """One base class for each model type, some extras, and with heads the task classes."""
    found: dict[str, Architecture] = {}

    def add(model_type: str, name: str, head: str) -> None:
        found.setdefault(name, Architecture(model_type, name, head))

    for model_type, names in modeling_auto.MODEL_MAPPING_NAMES.items():
        if model_type not in ("code_llama", "gpt-sw3"):
            add(model_type, PREFER.get(model_type, names if isinstance(names, str) else names[0]), "base")
    for pair in EXTRA:
        model_type, name = pair.split(":")
        if hasattr(transformers, name):
            add(model_type, name, "extra")
    for head in HEADS if heads else ():
        mapping = getattr(modeling_auto, f"MODEL_FOR_{head}_MAPPING_NAMES", None) or {}
        for model_type, names in mapping.items():
            add(model_type, names if isinstance(names, str) else names[0], head)
    return list(found.values())


def _model_class(model_type: str, name: str) -> Any:
    cls = getattr(transformers, name, None)
    module = configuration_auto.model_type_to_module_name(model_type)
    short = re.sub(r"_(text|vision_model|vision|encoder)", "", module)
    for path in (
        f"transformers.models.{module}",
        f"transformers.models.{module}.modeling_{module}",
        f"transformers.models.{short}.modeling_{short}",
        f"transformers.models.deprecated.{module}.modeling_{module}",
        "transformers.models.timm_backbone.modeling_timm_backbone",
    ):
        if cls is not None:
            return cls
        with contextlib.suppress(Exception):
            cls = getattr(importlib.import_module(path), name, None)
    if cls is None:
        raise ImportError(f"no class {name}")
    return cls


def _build(model_type: str, name: str, level: int) -> tuple[torch.nn.Module, Any]:
    cls = _model_class(model_type, name)
    no_config = model_type == "blip_2_qformer" or cls.config_class is None
    config_class = configuration_auto.CONFIG_MAPPING[model_type] if no_config else cls.config_class
    options = recipes.shrink(config_class, level)
    if level == 0:
        options = recipes.merge(options, recipes.OV.get(model_type, {}))
    if "use_pretrained_backbone" in recipes.sigdefaults(config_class):
        options["use_pretrained_backbone"] = False
    config = config_class(**options)
    if getattr(config, "is_decoder", None) is False and name.endswith(("LMHeadModel", "ForCausalLM")):
        config.is_decoder = True
    if model_type in recipes.POST:
        recipes.POST[model_type](config)
    torch.manual_seed(0)
    return cls(config), config


def _with_image_tokens(error: str, config: Any, inputs: dict[str, Any]) -> dict[str, Any] | None:
    """The inputs with as many image tokens as the error asks for, or None."""
    counts = re.search(r"tokens: (\d+).*?features:? (\d+)", error)
    if not counts:
        return None
    token, wanted = recipes.imgtok(config), int(counts.group(2))
    text = inputs["input_ids"][0]
    text = text[text != token]
    half = len(text) // 2
    ids = torch.cat([text[:half], torch.full((wanted,), token), text[half:]])[None]
    changed = dict(inputs, input_ids=ids)
    if "attention_mask" in inputs:
        changed["attention_mask"] = torch.ones_like(ids)
    return changed


def _inputs(architecture: Architecture, model: Any, config: Any) -> dict[str, Any]:
    torch.manual_seed(0)
    if architecture.name in recipes.SPECIAL_CLS:
        inputs = recipes.SPECIAL_CLS[architecture.name](model, config)
    elif architecture.model_type in recipes.SPECIAL:
        inputs = recipes.SPECIAL[architecture.model_type](model, config)
    else:
        inputs = recipes.generic(model, config, architecture.model_type)
    parameters = inspect.signature(model.forward).parameters
    if not any(p.kind == p.VAR_KEYWORD for p in parameters.values()):
        inputs = {key: value for key, value in inputs.items() if key in parameters}
    return inputs


def _half(inputs: dict[str, Any]) -> dict[str, Any]:
    return {k: v.half() if torch.is_tensor(v) and v.is_floating_point() else v for k, v in inputs.items()}


def call(model: Any, inputs: dict[str, Any], train: bool) -> Any:
    torch.manual_seed(0)
    numpy.random.seed(0)  # SpecAugment draws its masks there
    if train:
        return model(**inputs)
    with torch.no_grad():
        return model(**inputs)


def prepare(architecture: Architecture, dtype: str, train: bool) -> tuple[Any, dict[str, Any]]:
    """A model and inputs that run eagerly; raises RuntimeError with every attempt's error."""
    errors = []
    for level in (0, 1):
        try:
            model, config = _build(architecture.model_type, architecture.name, level)
            hidden = getattr(config, "hidden_size", 0)
            if level and isinstance(hidden, int) and hidden > 1100:
                raise RuntimeError("the default configuration is too big")
            model.train(train)
            inputs = _inputs(architecture, model, config)
            if dtype == "float16":
                model.half()
                inputs = _half(inputs)
            for attempt in range(3):
                try:
                    call(model, inputs, train)
                    return model, inputs
                except Exception as error:
                    changed = _with_image_tokens(str(error), config, inputs) if attempt < 2 else None
                    if changed is None:
                        raise
                    inputs = changed
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{last.filename.replace(SITE, '')}:{last.lineno}"
            errors.append(f"level {level}: {type(error).__name__}: {str(error)[:300]} at {where}")
    raise RuntimeError(" | ".join(errors))
