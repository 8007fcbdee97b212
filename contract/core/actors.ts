export const actorKinds = [
  'person',
  'api_key',
  'client',
  'operator_key',
  'command_line',
  'process',
] as const;

export type ActorKind = (typeof actorKinds)[number];
