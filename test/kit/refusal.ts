import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { ApiError } from '../../engine/fail.ts';

/** A refusal as a test states it. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly param: string | null;
  /** The details, as JSON.parse types them. */
  readonly details: ReturnType<typeof JSON.parse>;
}

/** A request over HTTP that was refused. */
export class Refused extends Error {
  readonly status: number;
  readonly error: Refusal;

  constructor(request: string, status: number, body: ReturnType<typeof JSON.parse>) {
    super(`${request} was refused: ${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.error = body?.error;
  }
}

/**
 * The refusal of a request or of a command.
 * @throws when it was accepted, and whatever else it throws
 */
export async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  let accepted: unknown;
  try {
    accepted = await attempt;
  } catch (error) {
    if (error instanceof Refused && error.error) {
      const { code, param, details } = error.error;
      return { code, param, details };
    }
    if (error instanceof ApiError) {
      const { code, param, details } = error;
      return { code, param, details };
    }
    throw error;
  }
  throw new Error(`it was accepted: ${JSON.stringify(accepted)}`);
}
