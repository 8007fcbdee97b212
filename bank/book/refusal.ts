const statuses = {
  invalid_request: 400,
  not_found: 404,
  order_differs: 409,
  order_has_ended: 409,
  already_answered: 409,
  unavailable: 500,
} as const;
type Code = keyof typeof statuses;

/** Why the bank does not do what it was asked for. */
export class Refusal extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
  get status(): number {
    return statuses[this.code];
  }
}
