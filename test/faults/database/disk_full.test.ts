import { test } from 'vitest';
import { proofTest } from '../../prove/proof.ts';
import { openSmallDisk, proveDiskFull } from './disk_full.ts';

const name = 'a database whose disk is full costs 503 and no partial state';

const disk = await openSmallDisk().catch(() => null);
if (disk) proofTest(name, 1, (context) => proveDiskFull(disk, context));
else test.skip(`${name} (skipped: only root on Linux may mount a disk)`);
