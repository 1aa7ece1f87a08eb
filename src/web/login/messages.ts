/** The texts of the sign-in pages: those that the specification fixes, and our own. */
export const signInMessages = {
  signInError: 'Sign In Error',
  emailRequired: 'Email is required',
  emailFormat: 'Enter an email address, such as name@company.com',
  passwordRequired: 'Password is required',
  confirmationRequired: 'Password confirmation is required',
  resetRequested: 'Password reset request received',
  resetRequestedText: 'If an account exists for this email, a link to reset the password will be sent to it.',
  resetRequestFailed: 'There was an error with the request',
  accountConfirmed: 'Your account has been confirmed. Enter your email to receive a link with which you set a new password.',
  confirmationFailed: 'This link is not valid any more. Enter your email, and a new one will be sent to it.',
  resetIntro: 'Enter your email, and a link with which you set a new password will be sent to it.',
  passwordReset: 'Your password has been reset',
  passwordResetText: 'Please login with your new password',
  passwordResetFailed: 'There was an error updating your password',
  setupTitle: 'Set up a second factor',
  setupIntro: 'Your role requires it: you are signed in once it is set up.',
  codesTitle: 'You are signed in',
  dueTitle: 'Set up a second factor',
  dueIntro: 'Your role requires a code of an authenticator app beside your password.',
  codeTitle: 'Enter your code',
  codeIntro: 'Open your authenticator app and enter the code that it shows for Meterbook.',
  recoveryTitle: 'Enter a recovery code',
  recoveryIntro: 'Enter one of the codes that you stored when you set up the second factor. Each works once.',
  codeLabel: '6-digit code',
  codeRequired: 'Enter the 6-digit code',
  recoveryRequired: 'Enter a recovery code',
  unreadable: 'The server could not be reached. Try again in a moment.',
} as const

/** Seconds for which these pages' notices are visible; the specification's values range from 0.4 to 5. */
export const signInSeconds = {
  signInError: 0.8,
  resetRequested: 3,
  resetRequestFailed: 3,
  passwordReset: 3,
  passwordResetFailed: 3,
} as const
