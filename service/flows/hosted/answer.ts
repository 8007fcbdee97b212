import type { Reply } from '@tenant-payments/engine/command.ts';

/** The value of a command's answer, as the type that the command gives it. */
export const answerOf = async <T>(reply: Promise<Pick<Reply, 'body'>>): Promise<T> =>
  JSON.parse((await reply).body) as T;
