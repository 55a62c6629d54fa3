// Every text of the mails about accounts. One flat list in each language, so that a test can compare them.

/** What was added to or removed from an account. A passkey may have a name. */
export interface FactorName {
  kind: 'codeApp' | 'recoveryCodes' | 'passkey'
  name?: string
}

const added = ({ kind, name }: FactorName, brand: string): string =>
  ({
    codeApp: `An authenticator app was added to your ${brand} account. You can sign in with it from now on.`,
    recoveryCodes: `Recovery codes were added to your ${brand} account. You can sign in with them from now on.`,
    passkey:
      name === undefined
        ? `A passkey was added to your ${brand} account. You can sign in with it from now on.`
        : `The passkey “${name}” was added to your ${brand} account. You can sign in with it from now on.`,
  })[kind]

const removed = ({ kind, name }: FactorName, brand: string): string =>
  ({
    codeApp: `An authenticator app was removed from your ${brand} account.`,
    recoveryCodes: `The recovery codes were removed from your ${brand} account.`,
    passkey:
      name === undefined
        ? `A passkey was removed from your ${brand} account.`
        : `The passkey “${name}” was removed from your ${brand} account.`,
  })[kind]

function codeUsed(left: number): string {
  const begin = 'A recovery code was used to confirm that it is you.'
  if (left === 0) return `${begin} None is left. You can create new ones under Sign-in & access.`
  if (left === 1) return `${begin} 1 is left. You can create new ones under Sign-in & access.`
  return `${begin} ${left} are left. You can create new ones under Sign-in & access.`
}

export const en = {
  // A forgotten password
  resetSubject: (brand: string) => `Reset your ${brand} password`,
  resetText: (brand: string) => `We received a request to reset the password of your ${brand} account.`,
  resetAction: 'Choose a new password',
  resetExpires: (minutes: number) => `The link works once and expires ${minutes} minutes after this email was sent.`,
  resetNotYou: 'If you did not request this, you can ignore this email. Your password has not changed.',

  // A password that was changed
  changedSubject: (brand: string) => `Your ${brand} password was changed`,
  changedText: (brand: string) => `The password of your ${brand} account was changed, and all devices were signed out.`,
  changedNotYou: 'If you did not change it, reset your password now and tell your administrator.',
  changedAction: 'Reset password',

  // Single sign-on
  confirmSubject: (brand: string) => `Confirm your sign-in to ${brand}`,
  confirmText: (provider: string, email: string, brand: string) =>
    `Someone signed in with ${provider} as ${email} and wants to open your ${brand} account with it.`,
  confirmIfYou: 'If this was you, confirm it in the same browser.',
  confirmAction: 'Confirm sign-in',
  confirmExpires: (minutes: number) => `The link works once and expires ${minutes} minutes after this email was sent.`,
  confirmNotYou: 'If this was not you, do not open the link and tell your administrator. Nothing has changed.',
  linkedSubject: (brand: string) => `A new way to sign in to ${brand}`,
  linkedText: (provider: string, brand: string) =>
    `From now on, signing in with ${provider} opens your ${brand} account.`,
  linkedNotYou: 'If this was not you, tell your administrator at once.',

  // Second factors
  factorAddedSubject: (brand: string) => `A second factor was added to your ${brand} account`,
  factorAddedText: added,
  factorRemovedSubject: (brand: string) => `A second factor was removed from your ${brand} account`,
  factorRemovedText: removed,
  codesSubject: (brand: string) => `New recovery codes for your ${brand} account`,
  codesText: (brand: string) => `New recovery codes were created for your ${brand} account. Older ones no longer work.`,
  codeUsedSubject: (brand: string) => `A recovery code of your ${brand} account was used`,
  codeUsedText: codeUsed,
  factorsResetSubject: (brand: string) => `The second factor of your ${brand} account was reset`,
  factorsResetText: (by: string, brand: string) =>
    `${by} removed the passkeys, the authenticator app and the recovery codes of your ${brand} account. All your devices were signed out. Sign in with your password and set up a second factor again.`,
  factorsResetNotYou: 'If you did not ask for this, tell your administrator.',
  factorNotYou: 'If you did not do this, change your password now and tell your administrator.',

  // Invitations
  invitationSubject: (brand: string) => `Your ${brand} account`,
  invitationText: (by: string, brand: string) => `${by} created a ${brand} account for you.`,
  invitationAction: 'Choose your password',
  invitationSignIn: 'Sign in',
  invitationProviderOnly: (provider: string) => `Sign in with ${provider} and this email address.`,
  invitationProviderToo: (provider: string) => `Or sign in with ${provider} and this email address`,
  invitationExpires: (days: number) =>
    `The link works once and expires in ${days} days. After that, request a new one with “Forgot password?” on the sign-in page.`,
}

type Texts = typeof en
/** The texts of a language: the same names, and the same values in their sentences. */
export type AccountMailWords = { [Name in keyof Texts]: Texts[Name] extends string ? string : Texts[Name] }
