/** The reason why the form cannot be sent. Only the server knows which passwords are good. */
export function passwordProblem(current: string, password: string, again: string): string | undefined {
  if (current === '') return 'Give the password you have now.';
  if (password === '') return 'Choose a new password.';
  if (password === current) return 'The new password is the one you have now.';
  return password === again ? undefined : 'The two new passwords differ.';
}
