// Who and what an id stands for.

const known = { users: new Map(), channels: new Map(), groups: new Map() };

export const names = {
  learn(world) {
    known.users = new Map(world.users.map((user) => [user.id, user]));
    known.channels = new Map(world.channels.map((channel) => [channel.id, channel]));
    known.groups = new Map(world.usergroups.map((group) => [group.id, group]));
  },
  user: (id) => known.users.get(id)?.real_name ?? (id === "USLACKBOT" ? "Slackbot" : id),
  person: (id) => known.users.get(id),
  people: (team) => [...known.users.values()].filter((user) => user.team_id === team),
  channels: (team) => [...known.channels.values()].filter((channel) => channel.team === team),
  channel: (id) => known.channels.get(id)?.name ?? id,
  group: (id) => known.groups.get(id)?.handle ?? id,
};
