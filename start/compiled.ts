import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * The code that the build puts in the place of `load_service.ts`: it runs the bundle beside it, and keeps the code that
 * V8 has compiled for it, with which a start takes a sixth less time (docs/rules/engine.md, Why).
 */

/** The name of the bundle, a script whose value is a CommonJS function. */
declare const BUNDLE: string;

/** Most of what a start compiles has run by then. */
const keepAfterMs = 10_000;

const bundle = fileURLToPath(new URL(BUNDLE, import.meta.url));
// Its name holds a hash of the bundle, and what V8 asks of the code: its own version, options and processor.
const kept = `${bundle}.${process.arch}-${cachedDataVersionTag()}`;

const sumBytes = 4;

/** V8 does not look whether code is whole, and ends the process where it is not: a sum stands at its end. */
function readKept(): Buffer | undefined {
  try {
    const file = readFileSync(kept);
    const code = file.subarray(0, -sumBytes);
    return file.readUInt32LE(code.length) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

const done = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

/** Keeps the compiled code. If this user cannot write, or the disk is full, nothing is kept: each start compiles. */
function write(code: Buffer): void {
  // Renamed when it is whole: another process may read it meanwhile.
  const whole = `${kept}.${process.pid}`;
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32LE(crc32(code));
  const isWritten = done(() => {
    writeFileSync(whole, Buffer.concat([code, sum]));
    renameSync(whole, kept);
  });
  if (!isWritten) done(() => rmSync(whole));
}

function compile(): Script {
  const cachedData = readKept();
  const script = new Script(readFileSync(bundle, 'latin1'), {
    filename: bundle,
    ...(cachedData && { cachedData }),
  });
  let isKept = cachedData !== undefined && !script.cachedDataRejected;
  const keep = () => {
    if (!isKept) write(script.createCachedData());
    isKept = true;
  };
  setTimeout(keep, keepAfterMs).unref();
  process.once('exit', keep);
  return script;
}

type Service = typeof import('./serve.ts');

function run(): Service {
  const module = { exports: {} };
  const call = compile().runInThisContext();
  call(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
  return module.exports as Service;
}

let loaded: Service | undefined;

/** Runs it at the first call, before it returns. */
export async function loadService(): Promise<Service> {
  loaded ??= run();
  return loaded;
}
