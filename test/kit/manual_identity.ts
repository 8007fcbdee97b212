/** The settings of a service with `IDENTITY=manual`. */
export const manualIdentity = {
  adapters: [{ name: 'manual', ports: ['identity'], values: { IDENTITY: 'manual' } }],
} as const;
