import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../test/kit/seed.ts';
import { openReplies } from './replies.ts';

const newReply = () => new ServerResponse(new IncomingMessage(new Socket()));

test('replies stay in their order until each is closed, whichever closes first', () => {
  const seed = seedOf(process.env);
  const choices = choicesOf(seed, 'replies');
  const replies = openReplies();
  let wanted: ServerResponse[] = [];
  for (let step = 0; step < 500; step += 1) {
    if (wanted.length === 0 || choices.percent(55)) {
      const reply = newReply();
      replies.add(reply);
      wanted.push(reply);
    } else {
      const closed = choices.pick(wanted);
      closed.emit('close');
      wanted = wanted.filter((reply) => reply !== closed);
    }
    const open = [...replies.open];
    expect(open.length, `SEED=${seed}`).toBe(wanted.length);
    expect(
      open.every((reply, at) => reply === wanted[at]),
      `SEED=${seed}`,
    ).toBe(true);
  }
  for (const reply of replies.open) reply.emit('close');
  expect([...replies.open]).toEqual([]);
});
