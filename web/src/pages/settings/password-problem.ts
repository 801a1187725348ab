/** What keeps the form from being sent. What makes a password good is for the server to say. */
export function passwordProblem(current: string, password: string, again: string): string | undefined {
  if (current === '') return 'Give the password you have now.';
  if (password === '') return 'Choose a new password.';
  if (password === current) return 'The new password is the one you have now.';
  return password === again ? undefined : 'The two new passwords differ.';
}
