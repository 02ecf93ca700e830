"""transformers: a decoder with grouped queries and a sliding window, speech to text, images with texts, a state space model, experts; forward, backward, generation."""
import torch, warnings
warnings.simplefilter("ignore")
from transformers import (MistralConfig, MistralForCausalLM, WhisperConfig, WhisperForConditionalGeneration, CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig, MambaConfig, MambaForCausalLM,
                          MixtralConfig, MixtralForCausalLM, Qwen2Config, Qwen2ForCausalLM, GemmaConfig, GemmaForCausalLM, DebertaV2Config, DebertaV2ForSequenceClassification, SegformerConfig, SegformerForSemanticSegmentation,
                          Wav2Vec2Config, Wav2Vec2ForCTC, DetrConfig, SwinConfig, SwinForImageClassification, BartConfig, BartForConditionalGeneration, LlamaConfig, LlamaForCausalLM, ConvNextConfig, ConvNextForImageClassification)
small = dict(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
ids = torch.arange(3, 27).view(2, 12)
def run(name, make, **inputs):
    torch.manual_seed(0)
    try:
        model = make().eval()
        out = model(**inputs)
        loss = out.loss if getattr(out, "loss", None) is not None else out[0].float().pow(2).mean()
        loss.backward()
        grad = sum(p.grad.abs().sum().item() for p in model.parameters() if p.grad is not None)
        print(name, round(loss.item(), 3), f"{grad:.3g}", flush=True)
        return model
    except Exception as e:
        print(name, type(e).__name__, str(e)[:150], flush=True)
m = run("mistral", lambda: MistralForCausalLM(MistralConfig(**small, sliding_window=6)), input_ids=ids, labels=ids)
if m: print(m.generate(ids[:, :5], max_new_tokens=6, do_sample=False)[:, 5:].tolist(), m.generate(ids[:, :5], max_new_tokens=4, num_beams=3)[:, 5:].tolist())
run("qwen2", lambda: Qwen2ForCausalLM(Qwen2Config(**small)), input_ids=ids, labels=ids)
run("gemma", lambda: GemmaForCausalLM(GemmaConfig(**small, head_dim=8)), input_ids=ids, labels=ids)
run("mixtral", lambda: MixtralForCausalLM(MixtralConfig(**small, num_local_experts=4)), input_ids=ids, labels=ids)
run("mamba", lambda: MambaForCausalLM(MambaConfig(vocab_size=64, hidden_size=32, state_size=8, num_hidden_layers=2)), input_ids=ids, labels=ids)
w = run("whisper", lambda: WhisperForConditionalGeneration(WhisperConfig(vocab_size=64, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=8, max_source_positions=20, max_target_positions=20, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, suppress_tokens=[], begin_suppress_tokens=[])), input_features=torch.linspace(-1, 1, 2 * 8 * 40).view(2, 8, 40), labels=ids)
clip = CLIPConfig(text_config=dict(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=16, eos_token_id=2), vision_config=dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, image_size=16, patch_size=8), projection_dim=16)
pixels = torch.linspace(-1, 1, 2 * 3 * 16 * 16).view(2, 3, 16, 16)
run("clip", lambda: CLIPModel(clip), input_ids=ids, pixel_values=pixels, return_loss=True)
run("deberta", lambda: DebertaV2ForSequenceClassification(DebertaV2Config(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, relative_attention=True, pos_att_type=["p2c", "c2p"], max_position_embeddings=32)), input_ids=ids, labels=torch.tensor([0, 1]))
run("bart", lambda: BartForConditionalGeneration(BartConfig(vocab_size=64, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=32, pad_token_id=0, bos_token_id=1, eos_token_id=2)), input_ids=ids, labels=ids)
big = torch.linspace(-1, 1, 2 * 3 * 32 * 32).view(2, 3, 32, 32)
run("segformer", lambda: SegformerForSemanticSegmentation(SegformerConfig(num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[8, 16], patch_sizes=[7, 3], strides=[4, 2], num_attention_heads=[1, 2], mlp_ratios=[2, 2], decoder_hidden_size=16, num_labels=3)), pixel_values=big, labels=torch.arange(2 * 32 * 32).view(2, 32, 32) % 3)
run("swin", lambda: SwinForImageClassification(SwinConfig(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4, num_labels=3)), pixel_values=big, labels=torch.tensor([0, 2]))
run("convnext", lambda: ConvNextForImageClassification(ConvNextConfig(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2, num_labels=3)), pixel_values=big, labels=torch.tensor([0, 2]))
run("wav2vec2", lambda: Wav2Vec2ForCTC(Wav2Vec2Config(vocab_size=32, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, conv_dim=[16, 16], conv_stride=[5, 2], conv_kernel=[10, 3], num_feat_extract_layers=2, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2)), input_values=torch.linspace(-1, 1, 800).view(2, 400), labels=ids[:, :5])
