import { fleet } from '@roadshow/contract/live/fleet'
import { useCall } from '../../api/useCall.ts'

/** The figures of today, shared by all parts of the page. */
export const useFigures = () => useCall(fleet.figures)
