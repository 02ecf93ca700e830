# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, gymnasium
from stable_baselines3 import PPO, DQN

m = PPO("MlpPolicy", "CartPole-v1", seed=0, n_steps=64, batch_size=32, n_epochs=2, verbose=0, device="cpu")
m.learn(256)
print(m.num_timesteps)
o, _ = gymnasium.make("CartPole-v1").reset(seed=0)
print(m.predict(o, deterministic=True)[0])
m = DQN("MlpPolicy", "CartPole-v1", seed=0, learning_starts=50, verbose=0, device="cpu")
m.learn(200)
print(m.num_timesteps)
