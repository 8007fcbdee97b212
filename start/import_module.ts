/**
 * Imports a module that the build does not know. A file of its own beside the bundle, since code that V8 has
 * kept cannot `import()` under Node 20.
 * @param address a URL
 */
export const importModule = (address: string): Promise<unknown> => import(address);
