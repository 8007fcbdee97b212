import { readFileSync } from 'node:fs';
import type { Faults } from './values.ts';

/** A secret's text from `NAME` or the file of `NAME_FILE`; null where neither is set, or the file cannot be read. */
export function secretText(
  value: (name: string) => string | undefined,
  name: string,
  faults: Faults,
): string | null {
  const direct = value(name);
  const file = value(`${name}_FILE`);
  if (direct !== undefined && file !== undefined)
    faults.push(`${name} and ${name}_FILE are both set; give one of them`);
  if (direct !== undefined) return direct.trim();
  return file === undefined ? null : fileText(name, file, faults);
}

function fileText(name: string, path: string, faults: Faults): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    faults.push(`${name}_FILE: ${path} cannot be read (${reason})`);
    return null;
  }
}
