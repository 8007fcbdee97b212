import { type Choices, choicesOf } from '../../kit/seed.ts';

/** One round of a race: its number and its own choices. */
export interface Round extends Choices {
  readonly number: number;
}

export interface Race {
  readonly name: string;
  readonly seed: number;
  readonly rounds: number;
}

/**
 * Plays the rounds, each lane one after the other and all lanes at once, so that rounds of
 * different people share batches and those of the same people never overlap.
 * @throws the first failure, named by its seed and round
 */
export async function playRounds<Lane>(
  { name, seed, rounds }: Race,
  lanes: readonly Lane[],
  play: (round: Round, lane: Lane) => Promise<void>,
): Promise<void> {
  let failed = false;
  const playLane = async (lane: Lane, first: number) => {
    for (let number = first; number < rounds && !failed; number += lanes.length) {
      try {
        await play({ number, ...choicesOf(seed, `${name} ${number}`) }, lane);
      } catch (cause) {
        failed = true;
        const { message } = cause as Error;
        throw new Error(`${name}, round ${number}, SEED=${seed}: ${message}`, { cause });
      }
    }
  };
  await Promise.all(lanes.map(playLane));
}
