import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { useNavigate } from '@tanstack/react-router'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import type { NextStep } from '../../ui/record/records.ts'
import { useNextSteps } from '../../ui/record/useNextSteps.ts'
import { newAddressSet, planShifts } from '../programs/nextSteps.ts'
import { isMisfit } from './ArtworkApproval.tsx'

/** What is offered after an artwork set was saved: its approval, and what follows from it. */
export function useArtworkSteps(): (set: ArtworkSet) => NextStep[] {
  const notice = useNotice()
  const approve = useSave(artworkSets.approve)
  const { offered } = useNextSteps()
  const navigate = useNavigate()

  const approveNow = async ({ uid, name, filesHash, program }: ArtworkSet) => {
    try {
      await approve.mutateAsync({ body: { uid, filesHash: filesHash ?? '' } })
      notice(`${name} is approved.`, 'done', offered([newAddressSet(program.uid), planShifts(program.uid)]))
    } catch (error) {
      // The drawer asks for the reason.
      const open = { label: 'Open', onAct: () => void navigate({ to: '/artworks', search: { open: uid } }) }
      notice(errorMessage(error), 'bad', isMisfit(error) ? [open] : [])
    }
  }

  return (set) =>
    set.status === 'draft' && set.filesHash
      ? [{ label: 'Approve', needs: artworkSets.approve, act: () => void approveNow(set) }]
      : [planShifts(set.program.uid)]
}
