// Sums of amounts that a list shows.

// The sum of amounts of one currency, in its smallest units.
export function addedUp(amounts) {
  const sum = amounts.reduce((before, amount) => before + BigInt(amount.replace(".", "")), 0n);
  const places = (amounts[0].split(".")[1] ?? "").length;
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
  const plain = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
  return sum < 0n ? `-${plain}` : plain;
}
