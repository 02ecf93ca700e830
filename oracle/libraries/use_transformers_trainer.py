# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, transformers, tempfile, warnings

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

torch.manual_seed(0)
x = torch.randint(0, 50, (32, 8))
ds = [{"input_ids": r, "labels": r} for r in x]
m = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=32, vocab_size=50, bos_token_id=0, eos_token_id=0))
with tempfile.TemporaryDirectory() as d:
    t = Trainer(
        m,
        TrainingArguments(
            d,
            num_train_epochs=2,
            per_device_train_batch_size=8,
            report_to=[],
            use_cpu=True,
            save_strategy="epoch",
            logging_strategy="no",
            disable_tqdm=True,
            seed=0,
        ),
        train_dataset=ds,
    )
    t.remove_callback(transformers.PrinterCallback)
    r = t.train()
    print(round(r.training_loss, 3), r.global_step)
    m2 = GPT2LMHeadModel.from_pretrained(t.state.best_model_checkpoint or d + "/checkpoint-8")
    print(torch.equal(m2.lm_head.weight, m.lm_head.weight))
