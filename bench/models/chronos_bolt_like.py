"""Like Chronos-Bolt: a time series in patches, normalised by itself, goes through transformers' T5 stacks; the forecast
comes from one decoder token. The breaks are those of the T5 stacks.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import nn
from transformers import T5Config
from transformers.models.t5.modeling_t5 import T5Stack


@dataclass
class ChronosBoltLikeConfig:
    d_model: int = 512
    d_ff: int = 2048
    d_kv: int = 64
    layers: int = 6
    heads: int = 8
    patch: int = 16
    prediction: int = 64
    quantiles: int = 9


class ChronosBoltLikeForForecasting(nn.Module):
    config_class = ChronosBoltLikeConfig

    def __init__(self, config: ChronosBoltLikeConfig) -> None:
        super().__init__()
        self.patch, self.prediction = config.patch, config.prediction
        stack = T5Config(
            vocab_size=2,
            d_model=config.d_model,
            d_ff=config.d_ff,
            d_kv=config.d_kv,
            num_layers=config.layers,
            num_heads=config.heads,
        )
        encoder, decoder = copy.deepcopy(stack), copy.deepcopy(stack)
        encoder.is_decoder = encoder.use_cache = encoder.is_encoder_decoder = False
        decoder.is_decoder, decoder.is_encoder_decoder = True, False
        self.shared = nn.Embedding(2, config.d_model)
        self.patches = nn.Linear(2 * config.patch, config.d_model)
        self.encoder, self.decoder = T5Stack(encoder), T5Stack(decoder)
        for each in (self.encoder, self.decoder):
            each.set_input_embeddings(self.shared)
        self.head = nn.Linear(config.d_model, config.quantiles * config.prediction)

    def forward(self, context: torch.Tensor) -> torch.Tensor:
        known = ~torch.isnan(context)
        count = known.sum(-1, keepdim=True).clamp(min=1)
        filled = torch.where(known, context, torch.zeros_like(context))
        mean = filled.sum(-1, keepdim=True) / count
        scale = ((filled - mean) * known).square().sum(-1, keepdim=True).div(count).sqrt() + 1e-5
        series = (filled - mean) / scale * known
        pairs = torch.cat(
            [series.unflatten(-1, (-1, self.patch)), known.to(series.dtype).unflatten(-1, (-1, self.patch))], -1
        )
        memory = self.encoder(inputs_embeds=self.patches(pairs)).last_hidden_state
        start = torch.zeros(context.shape[0], 1, dtype=torch.long, device=context.device)
        token = self.decoder(input_ids=start, encoder_hidden_states=memory).last_hidden_state
        quantiles = self.head(token[:, 0]).unflatten(-1, (-1, self.prediction))
        return quantiles * scale[:, None] + mean[:, None]
