/** Loads the service, which is most of a start. The build puts `compiled.ts` in this module's place. */
export const loadService = () => import('./serve.ts');
