import { fitLabel } from '@roadshow/contract/catalog/artwork'
import type { Fit } from '@roadshow/contract/catalog/artwork'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'

const tone: Record<Fit, Tone> = {
  exact: 'driving',
  scales: 'parked',
  tooLarge: 'warn',
  wrongRatio: 'bad',
  unknown: 'silent',
}

export const FitTag = ({ fit }: { fit: Fit }) => <StateTag tone={tone[fit]}>{fitLabel[fit]}</StateTag>
