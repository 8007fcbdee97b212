import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDataDir } from '../../kit/database_server.ts';

const mountCommand = 'mount';
const unmountCommand = 'umount';
const megabytes = 512;
const chunkBytes = 256 * 1024;

/** A disk of a fixed, small size. */
export interface SmallDisk {
  readonly dataDir: string;
  /** Takes all space that is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws where it cannot be mounted: not on Linux, or not as root */
export async function openSmallDisk(): Promise<SmallDisk> {
  const folder = await temporaryDataDir();
  const mountPoint = join(folder, 'disk');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(mountPoint);
  try {
    const size = `size=${megabytes}m,mode=0711`;
    execFileSync(mountCommand, ['-t', 'tmpfs', '-o', size, 'tmpfs', mountPoint], {
      stdio: 'ignore',
    });
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  const unmount = () => execFileSync(unmountCommand, ['-l', mountPoint]);
  process.once('exit', unmount);
  const dataDir = join(mountPoint, 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
  return {
    dataDir,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (let bytes = chunkBytes; bytes >= 1; )
          await file.write(Buffer.alloc(bytes)).catch(() => {
            bytes = Math.floor(bytes / 8);
          });
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      process.off('exit', unmount);
      unmount();
      await rm(folder, { recursive: true });
    },
  };
}
