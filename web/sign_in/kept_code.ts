/** The code of a program, while its approver is at an organization's provider and comes back. */
const name = 'device_code';

export const keepCode = (code: string): void => sessionStorage.setItem(name, code);

/** Once: it is of no use afterwards. */
export function takeKeptCode(): string {
  const kept = sessionStorage.getItem(name) ?? '';
  sessionStorage.removeItem(name);
  return kept;
}
