import { photoStatusLabel } from '@roadshow/contract/proof/pop'
import type { PhotoStatus } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import type { PopGrade } from '@roadshow/contract/proof/pop-document'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'

const statusTone: Record<PhotoStatus, Tone> = { waiting: 'parked', approved: 'driving', hidden: 'silent' }
export const gradeTone: Record<PopGrade, Tone> = { verified: 'driving', unverified: 'warn', conflict: 'bad' }

export const PhotoStatusTag = ({ status }: { status: PhotoStatus }) => (
  <StateTag tone={statusTone[status]}>{photoStatusLabel[status]}</StateTag>
)
export const GradeTag = ({ grade }: { grade: PopGrade }) => (
  <StateTag tone={gradeTone[grade]}>{popGradeLabel[grade]}</StateTag>
)
