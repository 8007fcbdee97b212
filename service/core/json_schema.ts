import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';

/** A compiler of the contract's schemas: strict, and with their formats. */
export function schemaCompiler(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: true, keywords: ['x-secret'], ...options });
  addFormats.default(ajv);
  return ajv;
}
