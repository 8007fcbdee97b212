import { type ReadableFault, readableFault } from '@tenant-payments/contract/core/readable.ts';
import { schemaMarks } from '@tenant-payments/contract/core/schema.ts';
import { Ajv, type FuncKeywordDefinition, type Options, type SchemaValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Options to compile quickly, for a process that has just begun. The schemas are code, which a test holds against JSON
 * Schema's own; and V8 makes as much of a check that Ajv has not shortened.
 */
const quickly: Options = { meta: false, validateSchema: false, code: { optimize: false } };

/** A compiler of the contract's schemas: strict, and with their formats. */
export function schemaCompiler(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: true, keywords: schemaMarks, ...quickly, ...options });
  addFormats.default(ajv);
  return ajv;
}

const mark = 'x-readable';

/** Faults that the other keywords of the field name. */
const isNamedElsewhere = (text: string, fault: ReadableFault | null): boolean =>
  text === '' || fault === 'format';

const judge: SchemaValidateFunction = (kept: string, text: string, _schema, at) => {
  const fault = readableFault(text);
  if (fault !== null && !isNamedElsewhere(text, fault)) {
    judge.errors = [{ keyword: mark, params: { fault } }];
    return false;
  }
  if (kept === 'composed' && at) at.parentData[at.parentDataProperty] = text.normalize('NFC');
  return true;
};

/** Before `maxLength`: some texts are longer in composed form. */
const readable: FuncKeywordDefinition = {
  keyword: mark,
  type: 'string',
  schemaType: 'string',
  modifying: true,
  before: 'maxLength',
  validate: judge,
};

/** A compiler for what comes in: text that people read is judged, and put in composed form (rules/errors#45). */
export function doorCompiler(options: Options = {}): Ajv {
  const keywords = [...schemaMarks.filter((one) => one !== mark), readable];
  return schemaCompiler({ keywords, ...options });
}
