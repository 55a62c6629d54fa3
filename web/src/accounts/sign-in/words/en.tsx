import type { ReactNode } from 'react'

// Every text of the pages for signing in.
interface AccountOfProvider {
  provider: string
  brand: string
  email: ReactNode
  name: ReactNode
}

export const en = {
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  or: 'or',
  email: 'Email',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  show: 'Show',
  hide: 'Hide',
  required: 'Required.',
  passkeySignIn: 'Sign in with a passkey',
  forgotPassword: 'Forgot password?',
  waitingForPasskey: 'Waiting for your passkey…',
  signInWith: (name: string) => `Sign in with ${name}`,
  signingYouIn: 'Signing you in…',
  takesAMoment: 'This takes a moment.',
  oneMoreStep: 'One more step',
  passkeyNow: 'Use your passkey',
  code: '6-digit code',
  codeHint: 'Open your authenticator app and enter the code it shows.',
  checking: 'Checking…',
  noPasskeyHere: 'This browser can’t use your passkey.',
  backToFactor: 'Back to your second factor',
  recoveryCodeInstead: 'Use a recovery code instead',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'Each code works once.',
  noCodeLeft: 'No code left? Ask an administrator to reset your second factor.',
  someoneElse: 'Sign in as someone else',
  forgotTitle: 'Forgot your password?',
  forgotText: 'Enter your email address and we’ll send you a link to set a new password.',
  sendLink: 'Send the link',
  sending: 'Sending…',
  backToSignIn: 'Back to sign in',
  checkEmail: 'Check your email',
  mailed: (email: ReactNode): ReactNode => (
    <>If an account exists for {email}, an email with a link is on its way. The link works for 30 minutes.</>
  ),
  forAccount: (email: ReactNode): ReactNode => <>For the account {email}.</>,
  passwordSet: 'Your password is set',
  passwordSetText: 'Every earlier session has ended. Sign in with the new password.',
  choosePassword: 'Choose your password',
  chooseNewPassword: 'Choose a new password',
  checkingLink: 'Checking your link…',
  setPassword: 'Set password',
  setting: 'Setting…',
  newPassword: 'New password',
  passwordLength: (count: number) => `At least ${count} characters.`,
  passwordLengthAgain: (count: number) => `At least ${count} characters. You’ll be signed out everywhere.`,
  newLink: 'Ask for a new link',
  isYours: 'Is this your account?',
  isYoursText: ({ provider, brand, email, name }: AccountOfProvider): ReactNode => (
    <>
      You signed in with {provider} as {email}. The {brand} account of {name} has the same address. Confirm that it is
      yours, and {provider} opens it from now on.
    </>
  ),
  linkAccount: 'Link and sign in',
  linking: 'Linking…',
  notMine: 'Not my account',
  passwordOf: (brand: string) => `Your ${brand} password`,
  mailMe: 'Email me a link',
  mailMeInstead: 'Email me a link instead',
  linkMailed: (email: ReactNode): ReactNode => (
    <>A link is on its way to {email}. Open it in this browser within 30 minutes.</>
  ),
  passkeyNameHere: (suggested: string) => suggested,
  passwordsOff: 'No password needed',
  passwordsOffText: (provider: string) => `Passwords are not used here. Sign in with ${provider}.`,
  goToSignIn: 'Go to sign in',
  noAccess: 'No access yet',
  noAccessText: 'Your account doesn’t have access to any screen yet. Ask an administrator.',
  signOut: 'Sign out',
  signingOut: 'Signing out…',
  tryAgain: 'Try again',
  broken: 'Something went wrong',
  brokenText: 'The error has been reported. Reloading the page usually helps.',
  loadAgain: 'Load again',
  protect: 'Protect your account',
  protectText: 'Your role needs a second factor. Set one up now; it takes a minute.',
  passkey: 'Passkey',
  passkeyText: 'Your fingerprint, face or screen lock, or a security key.',
  codeApp: 'Authenticator app',
  codeAppText: 'A 6-digit code from an app on your phone.',
  otherWay: 'Choose another way',
  addPasskeyTitle: 'Add a passkey',
  addPasskeyText: 'Your browser asks for your fingerprint, face, screen lock or security key.',
  addPasskey: 'Add passkey',
  passkeyName: 'Name of the passkey',
  passkeyNameHint: 'So that you recognize it later.',
  addCodeApp: 'Add an authenticator app',
  scanText: 'Scan this code with your app, or type in the key. Then enter the code that the app shows.',
  qrCode: 'QR code with the key below',
  openInApp: 'Open in an app on this device',
  confirm: 'Confirm',
  confirmYou: 'Confirm that it’s you',
  confirmYouText: 'You signed in a while ago. Enter your password again.',
  continue: 'Continue',
  keepCodes: 'Keep your recovery codes',
  keepCodesText:
    'If you lose your second factor, each of these codes signs you in once. Keep them in a safe place: they are not shown again.',
  copied: 'Copied',
  copyCodes: 'Copy the codes',
  codesKept: 'I have kept them',
}

type Texts = typeof en
/** The texts of a language: the same names, and the same values in their sentences. */
export type SignInWords = { [Name in keyof Texts]: Texts[Name] extends string ? string : Texts[Name] }
