import { join } from 'node:path';

/** The only copy of the sample tenant's secrets (surfaces: Start). */
export const sandboxFile = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** The key of whoever runs this machine. */
export const operatorKeyFile = (dataDir: string): string => join(dataDir, 'operator.key');
