import { type ProgramStatus, programStatusLabel, statusesFrom } from '@roadshow/contract'

interface ProgramState {
  status: ProgramStatus
  clientUid: string
}

/** Form field to its message, for a status or a client that a program cannot change to. */
export function programProblems(input: ProgramState, current?: ProgramState): Record<string, string> {
  return { ...clientProblem(input, current), ...statusProblem(input.status, current?.status) }
}

function clientProblem(input: ProgramState, current: ProgramState | undefined): { clientUid?: string } {
  const isMoved = current && current.status !== 'draft' && current.clientUid !== input.clientUid
  return isMoved ? { clientUid: 'Only a draft can be moved to another client.' } : {}
}

function statusProblem(to: ProgramStatus, from: ProgramStatus | undefined): { status?: string } {
  const allowed = statusesFrom(from)
  if (allowed.includes(to)) return {}
  const words = allowed.map((status) => programStatusLabel[status].toLowerCase()).join(' or ')
  return { status: from ? `This program can only be ${words}.` : `A new program can only be ${words}.` }
}
