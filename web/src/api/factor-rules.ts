/** What users type as a proof that they are who they are. */
export type ProofField = 'password' | 'code' | 'recoveryCode'

type Held = { passkeys: readonly unknown[]; codeApp: unknown }

export const hasFactor = ({ passkeys, codeApp }: Held): boolean => codeApp !== null || passkeys.length > 0

/** What a user can type as a proof: without a factor only the password is left. */
export function proofField(held: Held, isRecovering: boolean): ProofField | undefined {
  if (!hasFactor(held)) return 'password'
  if (isRecovering) return 'recoveryCode'
  return held.codeApp === null ? undefined : 'code'
}

/** A key in groups of four, as people read it. */
export const keyInGroups = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ')
