import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The sources of folders of the repository, without their tests, by their paths from its root. */
export const sourcesOf = (folders: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => /\.tsx?$/.test(name) && !/\.test(-d)?\.tsx?$/.test(name) && existsSync(name));
