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
  /** The proposal that they belong to; the board scrolls to the first of each. */
  of: string
  ghosts: readonly Ghost[]
  /** The one that is being changed, which the board scrolls to. */
  opened: string | undefined
  onOpen: (key: string) => void
}

export const GhostContext = createContext<GhostBoard | undefined>(undefined)
