import { join } from 'node:path';

/** The only copy of the sample tenant's secrets. */
export const sandboxFile = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** The key of this machine's operator. */
export const operatorKeyFile = (dataDir: string): string => join(dataDir, 'operator.key');
