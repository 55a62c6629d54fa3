import type { ActProblem } from '@roadshow/contract'
import { problemWords } from './rules.ts'

/** Thrown to roll back an act that is refused. */
export class ActRefused extends Error {
  readonly problem: ActProblem

  constructor(problem: ActProblem) {
    super(problemWords[problem])
    this.problem = problem
  }
}
