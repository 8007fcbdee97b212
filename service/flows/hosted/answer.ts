import type { Reply } from '../../core/command.ts';

/** What a command answered, as the type that it is known to have. */
export const answerOf = async <T>(reply: Promise<Pick<Reply, 'body'>>): Promise<T> =>
  JSON.parse((await reply).body) as T;
