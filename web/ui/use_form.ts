import { useState } from 'preact/hooks';

export type Values<K extends string> = Readonly<Record<K, string>>;
/** The faults by field; a right field has none. */
export type Faults<K extends string> = { readonly [P in K]?: string | undefined };

export interface FormState<K extends string> {
  readonly values: Values<K>;
  readonly faults: Faults<K>;
  /** Raised by each refusal, so that the same faults are announced again. */
  readonly refusals: number;
  readonly refuse: (faults: Faults<K>) => void;
  readonly set: (name: K, value: string) => void;
  /** Makes the form as it was at first: the initial values, and no faults. */
  readonly reset: () => void;
  /** The properties that a field takes from its form. */
  readonly field: (name: K) => {
    readonly name: K;
    readonly value: string;
    readonly onValue: (value: string) => void;
    readonly error: string | undefined;
  };
  readonly submit: (next: (values: Values<K>) => void) => void;
}

/** The answers of one page, checked when they are sent and not while they are typed. */
export function useForm<K extends string>(
  initial: Values<K>,
  check: (values: Values<K>) => Faults<K>,
): FormState<K> {
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults<K>>({});
  const [refusals, setRefusals] = useState(0);
  const set = (name: K, value: string) => setValues((now) => ({ ...now, [name]: value }));
  const refuse = (found: Faults<K>) => {
    setFaults(found);
    setRefusals((count) => count + 1);
  };
  return {
    values,
    faults,
    refusals,
    refuse,
    set,
    reset() {
      setValues(initial);
      setFaults({});
    },
    field: (name) => ({
      name,
      value: values[name],
      onValue: (value) => set(name, value),
      error: faults[name],
    }),
    submit: (next) => {
      const found = check(values);
      if (Object.values(found).some(Boolean)) return refuse(found);
      setFaults({});
      next(values);
    },
  };
}
