const shown = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** What people call the company's identity provider; empty if there is none. */
export const providerName = (): string => shown('single-sign-on')

export const isPasswordSignInOff = (): boolean => shown('password-sign-in') === 'off'
