"""Proximal policy optimization in one file, on gymnasium's CartPole; a target network."""
import gymnasium as gym, numpy as np, torch, torch.nn as nn, torch.optim as optim, random
from torch.distributions.categorical import Categorical
random.seed(1); np.random.seed(1); torch.manual_seed(1); torch.backends.cudnn.deterministic = True
envs = gym.vector.SyncVectorEnv([lambda: gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1")) for _ in range(2)])
def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std); torch.nn.init.constant_(layer.bias, bias_const); return layer
class Agent(nn.Module):
    def __init__(self):
        super().__init__(); n = np.array(envs.single_observation_space.shape).prod()
        self.critic = nn.Sequential(layer_init(nn.Linear(n, 64)), nn.Tanh(), layer_init(nn.Linear(64, 1), std=1.0)); self.actor = nn.Sequential(layer_init(nn.Linear(n, 64)), nn.Tanh(), layer_init(nn.Linear(64, envs.single_action_space.n), std=0.01))
    def get_value(self, x): return self.critic(x)
    def get_action_and_value(self, x, action=None):
        probs = Categorical(logits=self.actor(x))
        if action is None: action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)
agent = Agent(); optimizer = optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5); S, E = 32, 2
obs = torch.zeros((S, E) + envs.single_observation_space.shape); actions = torch.zeros((S, E) + envs.single_action_space.shape); logprobs, rewards, dones, values = (torch.zeros((S, E)) for _ in range(4))
next_obs, _ = envs.reset(seed=1); next_obs = torch.Tensor(next_obs); next_done = torch.zeros(E)
for it in range(3):
    for step in range(S):
        obs[step] = next_obs; dones[step] = next_done
        with torch.no_grad(): action, lp, _, value = agent.get_action_and_value(next_obs); values[step] = value.flatten()
        actions[step] = action; logprobs[step] = lp
        next_obs, r, term, trunc, infos = envs.step(action.cpu().numpy()); next_done = np.logical_or(term, trunc); rewards[step] = torch.tensor(r).view(-1); next_obs, next_done = torch.Tensor(next_obs), torch.Tensor(next_done)
    with torch.no_grad():
        nv = agent.get_value(next_obs).reshape(1, -1); adv = torch.zeros_like(rewards); last = 0
        for t in reversed(range(S)):
            nn_, v_ = (1.0 - next_done, nv) if t == S - 1 else (1.0 - dones[t + 1], values[t + 1])
            delta = rewards[t] + 0.99 * v_ * nn_ - values[t]; adv[t] = last = delta + 0.99 * 0.95 * nn_ * last
        returns = adv + values
    b = [x.reshape((-1,) + x.shape[2:]) for x in (obs, logprobs, actions, adv, returns, values)]; inds = np.arange(S * E); clipfracs = []
    for epoch in range(2):
        np.random.shuffle(inds)
        for s in range(0, S * E, 32):
            mb = inds[s:s + 32]; _, nl, ent, v = agent.get_action_and_value(b[0][mb], b[2].long()[mb]); logratio = nl - b[1][mb]; ratio = logratio.exp()
            with torch.no_grad(): kl = ((ratio - 1) - logratio).mean(); clipfracs += [((ratio - 1.0).abs() > 0.2).float().mean().item()]
            a = b[3][mb]; a = (a - a.mean()) / (a.std() + 1e-8); pg = torch.max(-a * ratio, -a * torch.clamp(ratio, 0.8, 1.2)).mean(); v = v.view(-1)
            vc = b[5][mb] + torch.clamp(v - b[5][mb], -0.2, 0.2); vl = 0.5 * torch.max((v - b[4][mb]) ** 2, (vc - b[4][mb]) ** 2).mean(); loss = pg - 0.01 * ent.mean() + vl * 0.5
            optimizer.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(agent.parameters(), 0.5); optimizer.step()
    yp, yt = b[5].cpu().numpy(), b[4].cpu().numpy(); print(round(loss.item(), 2), round(kl.item(), 4), round(float(1 - np.var(yt - yp) / np.var(yt)), 2), np.mean(clipfracs))
q, tq = Agent().critic, Agent().critic; tq.load_state_dict(q.state_dict())
for tp, p in zip(tq.parameters(), q.parameters()): tp.data.copy_(0.01 * p.data + (1.0 - 0.01) * tp.data)
print(round(sum(p.abs().sum().item() for p in tq.parameters()), 2))
