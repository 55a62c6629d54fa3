import { formatDateTime } from '@roadshow/contract/platform/dates'
import { inspectionResultLabel, inspections, repairLabel } from '@roadshow/contract/live/inspections'
import type { InspectedLine, Inspection, InspectionResult } from '@roadshow/contract/live/inspections'
import { formatDistance } from '@roadshow/contract/platform/geo'
import { Alert, Button } from 'antd'
import { useDownload } from '../../api/useDownload.ts'
import { useDetails } from '../../api/useDetails.ts'
import { useMay } from '../../api/user.ts'
import { Facts } from '../../ui/record/Facts.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { CertifyRepair } from './CertifyRepair.tsx'
import styles from './inspections.module.css'

const tone: Record<InspectionResult, Tone> = { ok: 'driving', defect: 'bad', notApplicable: 'silent' }

function factsOf({ driver, signedBy, shift, zone, receivedAt, isLate, phoneAt, place }: Inspection) {
  const moment = (at: string) => formatDateTime(at, zone)
  return {
    Driver: driver.name,
    'Signed by': signedBy,
    Shift: `${shift.program}, ${shift.market}`,
    ...(isLate && { Received: `${moment(receivedAt)}, sent later` }),
    ...(phoneAt && { 'Clock of the phone': `${moment(phoneAt)}, corrected` }),
    Place: place
      ? `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)} (within ${formatDistance(place.accuracyM)})`
      : 'Not known to the phone',
  }
}

interface LineProps {
  line: InspectedLine
  inspection: Inspection
}

function Line({ line, inspection }: LineProps) {
  const mayCertify = useMay(inspections.certify)
  const { itemUid, name, result, note, photo, repair } = line
  return (
    <li className={styles.line}>
      <Row as="span" gap={3} lineGap={1} align="center" wrap inline>
        <strong>{name}</strong>
        <StateTag tone={tone[result]}>{inspectionResultLabel[result]}</StateTag>
      </Row>
      {note && <p>{note}</p>}
      {photo && (
        <a href={photo.url} target="_blank" rel="noreferrer">
          <img className={styles.photo} src={photo.thumbnailUrl ?? photo.url} alt={`Defect: ${name}`} />
        </a>
      )}
      {repair && (
        <Soft as="p">
          {repairLabel[repair.outcome]}, certified by {repair.by}, {formatDateTime(repair.at, inspection.zone)}
          {repair.note && `: ${repair.note}`}
        </Soft>
      )}
      {result === 'defect' && !repair && mayCertify && (
        <CertifyRepair inspectionUid={inspection.uid} itemUid={itemUid} name={name} />
      )}
    </li>
  )
}

/** What a driver found on an inspection, and the repairs that were certified since. */
export function InspectionReport({ uid }: { uid: string }) {
  const found = useDetails(inspections.get, uid)
  const { busy, refused, fetch } = useDownload()
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={5} />
  const inspection = found.data
  return (
    <Stack gap={3} className={styles.report}>
      <Facts facts={factsOf(inspection)} />
      <List gap={2} aria-label="Inspected">
        {inspection.lines.map((line) => (
          <Line key={line.itemUid} line={line} inspection={inspection} />
        ))}
      </List>
      <div>
        <Button loading={busy === 'pdf'} onClick={() => void fetch('pdf', inspections.pdf, { params: { uid } })}>
          Report (PDF)
        </Button>
      </div>
      {refused && <Alert type="error" role="alert" title={refused} />}
      <Soft as="p">
        A report of this kind is asked for by 49 CFR 396.11 for some commercial vehicles. Check whether it applies to
        this truck.
      </Soft>
    </Stack>
  )
}
