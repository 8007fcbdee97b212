/** Ten years, in seconds. */
export const longestAdvanceSeconds = 10 * 366 * 24 * 60 * 60;
