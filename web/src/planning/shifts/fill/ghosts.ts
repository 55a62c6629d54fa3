import type { ProposedShift } from '@roadshow/contract/planning/fill'
import { createContext } from 'react'

/** A proposed shift as the planner left it. */
export interface Ghost extends ProposedShift {
  isChanged: boolean
  /** Why it can no longer be planned; undefined until that is known. */
  refusal: string | undefined
}

/** The proposed shifts that the board draws beside the saved ones, and what happens when one is chosen. */
export interface GhostBoard {
  ghosts: readonly Ghost[]
  onOpen: (key: string) => void
}

export const GhostContext = createContext<GhostBoard | undefined>(undefined)
