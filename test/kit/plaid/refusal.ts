/** Answered as Plaid answers errors. */
export class PlaidRefusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  constructor(code: string, type = 'INVALID_INPUT', status = 400) {
    super(code);
    this.status = status;
    this.type = type;
    this.code = code;
  }
}
