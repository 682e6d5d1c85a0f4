/** The binary form of batches that the .NET SDK speaks: rows of the HybridRow format, framed as RecordIO. */
package dev.orrery.gateway.hybridrow;
