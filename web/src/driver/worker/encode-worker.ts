// It stands alone: the page sends drawn pictures, and gets their bytes.

interface EncodeRequest {
  id: number
  picture: ImageBitmap
  quality: number
}

declare const self: DedicatedWorkerGlobalScope

async function encode({ picture, quality }: EncodeRequest): Promise<Blob | null> {
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  picture.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality }).catch(() => null)
}

self.addEventListener('message', ({ data }: MessageEvent<EncodeRequest>) => {
  void encode(data).then((blob) => self.postMessage({ id: data.id, blob }, []))
})
