/** `ana@example.com` as `a•••@example.com`: enough to recognize one's own. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${[...email][0]}•••${email.slice(at)}`;
}

/** The last four digits of a number. */
export const maskedMobile = (last4: string): string => `••• ••• ${last4}`;
