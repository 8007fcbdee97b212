#!/usr/bin/env node
// npm links a bin only to a file that is there before the build.
import { existsSync } from 'node:fs';

const built = new URL('../dist/tpay.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error('error: tpay is not built\nhint: Build it with: npm ci');
  process.exitCode = 1;
}
