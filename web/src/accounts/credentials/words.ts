import type { CredentialKind } from '@roadshow/contract/accounts/credentials'

interface CredentialWords {
  /** The heading of the kind in the list. */
  title: string
  /** The button that ends one. */
  act: string
  /** What is asked first and what happens then; sessions and links end without a question, since new ones are easy to get. */
  ask?: { question: string; text: string }
  done: string
}

export const credentialWords: Record<CredentialKind, CredentialWords> = {
  session: { title: 'Sessions', act: 'End', done: 'Session ended.' },
  link: { title: 'Password links', act: 'End', done: 'Password link ended.' },
  calendar: {
    title: 'Calendar link',
    act: 'End',
    ask: {
      question: 'End this calendar link?',
      text: 'Calendar apps that use it stop showing shifts. A new link can be created at any time.',
    },
    done: 'Calendar link ended.',
  },
  push: {
    title: 'Browsers with notifications',
    act: 'Turn off',
    ask: {
      question: 'Turn off notifications in this browser?',
      text: 'It shows no more notifications. They can be turned on again in that browser.',
    },
    done: 'Notifications turned off.',
  },
  apiKey: {
    title: 'API keys',
    act: 'Revoke',
    ask: { question: 'Revoke this API key?', text: 'Programs that use it are refused at once. This can’t be undone.' },
    done: 'API key revoked.',
  },
  passkey: {
    title: 'Passkeys',
    act: 'Remove',
    ask: { question: 'Remove this passkey?', text: 'It can no longer be used to sign in.' },
    done: 'Passkey removed.',
  },
  codeApp: {
    title: 'Authenticator app',
    act: 'Remove',
    ask: { question: 'Remove this authenticator app?', text: 'Its one-time codes are no longer accepted.' },
    done: 'Authenticator app removed.',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    act: 'Remove',
    ask: { question: 'Remove these recovery codes?', text: 'None of them can be used to sign in anymore.' },
    done: 'Recovery codes removed.',
  },
  singleSignOn: {
    title: 'Single sign-on',
    act: 'Unlink',
    ask: {
      question: 'Unlink single sign-on?',
      text: 'The sessions it opened end. It must be confirmed again before it can be used to sign in.',
    },
    done: 'Single sign-on unlinked.',
  },
}
